#ifndef DATA_CHANGE_H
#define DATA_CHANGE_H

/*
 * What policies did to a session, as one list in the order of the deeds. Every reader of it (the
 * sink, a report, a plan) asks this list and nothing else.
 *
 *     entry    raw, len: the record as it leaves now     change: the newest change, or NONE
 *     change   raw, len: the record before the change    older:  the change before it, or NONE
 *
 * So the original of an entry stands at the end of its chain, and undoing the newest changes, down
 * to a mark, brings everything back. Texts are in the session's arena.
 */

#include "data/session.h"

enum change_kind {
	CHANGE_TEXT, /* the entry has a new text */
	CHANGE_DROP, /* the entry does not leave */
	CHANGE_ADD,  /* a new record stands in front of the entry */
};

/* Why something was done: a row of the table of the policy that did it. */
struct change_rule {
	struct str name;        /* the member of a report that counts it; "" where none does */
	struct str action;      /* what was done, a word */
	struct str reason;      /* a phrase */
	struct str placeholder; /* what stands for what went; "" where that is no fixed text */
};

struct change {
	const struct change_rule *rule;
	const char *raw;    /* CHANGE_ADD: the new record, without a line end */
	uint32_t len;
	uint32_t new_len;   /* of the record after the change, a line end included */
	uint32_t entry;     /* CHANGE_ADD: may be the session's count: at the end */
	uint32_t older;
	uint32_t before;    /* tokens; 0 where nobody weighed */
	uint32_t after;
	enum change_kind kind;
	bool was_changed;   /* flags of the entry before */
	bool was_compacted;
};

/* What change_undo goes back to. */
static inline uint32_t
change_mark(const struct session *session)
{
	return session->change_count;
}

/* Gives the entry new JSON text, which is copied; its line end stays. Nobody has weighed it yet. */
void change_text(struct session *session, uint32_t entry, const struct change_rule *rule,
    struct str text);

void change_drop(struct session *session, uint32_t entry, const struct change_rule *rule);

/* Adds a record in front of the entry (or, with the session's count, at the end); its text is
 * copied. */
void change_add(struct session *session, uint32_t entry, const struct change_rule *rule,
    struct str text);

/* Takes back all changes since the mark, the newest first. */
void change_undo(struct session *session, uint32_t mark);

/* The entry's newest change, or NULL. */
static inline const struct change *
change_of(const struct session *session, uint32_t entry)
{
	uint32_t newest = session->entry[entry].change;

	return newest == NONE ? NULL : &session->change[newest];
}

/* The entry as it came: its record, line end included, and its tokens then (0 where nobody
 * weighed), with all other attributes as they are now. */
struct entry change_original(const struct session *session, uint32_t entry);

/* The changes that added a record, the oldest first: session->added_count of them, from 0. */
static inline const struct change *
change_added(const struct session *session, uint32_t number)
{
	return &session->change[session->added[number]];
}

#endif
