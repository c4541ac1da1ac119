#ifndef DATA_CHANGE_H
#define DATA_CHANGE_H

/*
 * All edits of policies to a session, as one list of changes in the order in which they were made.
 * Output, report and plan are made from this list and from nothing else.
 *
 *     entry    raw, len: the record as it is now         change: the newest change, or NONE
 *     change   raw, len: the record before the change    older:  the change before this, or NONE
 *
 * So the original of an entry is at the end of its chain of changes, and undoing the newest changes
 * down to a mark restores the session. Texts are in the session's arena. In a stream of many
 * sessions, a new text without the key of its session (session.name) gets that key.
 */

#include "data/session/session.h"

enum change_kind {
	CHANGE_TEXT, /* the entry has a new text */
	CHANGE_DROP, /* the entry is removed */
	CHANGE_ADD,  /* a new record is inserted before the entry */
};

/* The rule by which a policy made a change: a row of the policy's table. */
struct change_rule {
	struct str name;        /* the member of the report that counts these changes; "": none */
	struct str action;      /* one word for the edit */
	struct str reason;      /* a phrase */
	struct str placeholder; /* the text in place of what was removed; "": no fixed text */
};

struct change {
	const struct change_rule *rule;
	const char *raw; /* CHANGE_ADD: the new record, without a line end */
	uint32_t len;
	uint32_t new_len; /* the length of the record after the change, with its line end. A key
			   * that was added for session.name does not count: no change is refused
			   * because of it */
	uint32_t entry;   /* CHANGE_ADD: session->count means the end of the session */
	uint32_t older;   /* the change of the entry before this one, or NONE */
	uint32_t before;  /* tokens before the change; 0: not counted */
	uint32_t after;   /* tokens after the change; 0: not counted */
	uint32_t least;   /* entry->least before the change */
	enum change_kind kind;
	bool is_base;     /* set by the policy: later changes start from this text (change_base) */
	bool was_changed; /* entry->is_changed before the change */
	bool was_compacted; /* entry->is_compacted before the change */
};

/* A mark for change_undo. */
static inline uint32_t
change_mark(const struct session *session)
{
	return session->change_count;
}

/* The text with the key of its session (session.name). Returns text itself when no key must be
 * added; otherwise the new text, in buf. */
struct str change_key(const struct session *session, struct str text, struct buf *buf);

/* Gives the entry a new JSON text, which is copied. The line end stays. The tokens of the entry are
 * unknown after that. */
void change_text(
    struct session *session, uint32_t entry, const struct change_rule *rule, struct str text);

void change_drop(struct session *session, uint32_t entry, const struct change_rule *rule);

/* Drops the entry if later messages forget it. */
void change_forget(struct session *session, uint32_t entry);

/* Says the tokens of the newest change, a new text or an added record. */
void change_weighed(struct session *session, uint32_t tokens);

/* Adds a record before the entry, or at the end when entry is session->count; after the records
 * that were added at this place before. The text is copied. Takes constant time when records are
 * added in the order of the entries. */
void change_add(
    struct session *session, uint32_t entry, const struct change_rule *rule, struct str text);

/* Replaces the text of the record that change number made, and its rule. The change must be the
 * newest of its entry, or one that added a record. Its tokens are unknown after that. */
void change_again(
    struct session *session, uint32_t number, const struct change_rule *rule, struct str text);

/* The same for a text that only adds a note of its origin, such as the pass. The rule and the
 * tokens stay, and the bytes of the note do not count in new_len. */
void change_note(struct session *session, uint32_t number, struct str text);

/* Undoes all changes since the mark, the newest first. */
void change_undo(struct session *session, uint32_t mark);

/* The newest change of the entry, or NULL. */
static inline const struct change *
change_of(const struct session *session, uint32_t entry)
{
	uint32_t newest = session->entry[entry].change;

	return newest == NONE ? NULL : &session->change[newest];
}

/* The entry with its record as in the input, and with the tokens of that record (0: not counted).
 * All other attributes are the present ones. */
struct entry change_original(const struct session *session, uint32_t entry);

/* Whether the entry was compacted in the input. */
bool change_came_compacted(const struct session *session, uint32_t entry);

/* The same with the record that transforms shorten and digests read: the record of the newest
 * change with is_base, or else that of the input. */
struct entry change_base(const struct session *session, uint32_t entry);

/* The text of that record, without blanks at its ends: for a result, the output of its tool. The
 * text is in buf. */
struct str change_base_text(const struct session *session, uint32_t entry, struct buf *buf);

/* The change that added record number, from 0 to session->added_count - 1, in the order of the
 * stream. */
static inline const struct change *
change_added(const struct session *session, uint32_t number)
{
	return &session->change[session->added[number]];
}

/* The next record that was added before the entry, or NULL. For a walk over the entries in their
 * order: set *next to 0 at the start of the walk. */
static inline const struct change *
change_next_added(const struct session *session, uint32_t entry, uint32_t *next)
{
	if (*next == session->added_count || change_added(session, *next)->entry != entry)
		return NULL;
	return change_added(session, (*next)++);
}

#endif
