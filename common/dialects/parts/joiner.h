#ifndef PARTS_JOINER_H
#define PARTS_JOINER_H

/*
 * Records on their way from a reader to the next stage, in the order in which their first source
 * lines came. A record that is still being gathered holds back the records behind it:
 *
 *     first -> [done] -> [draft ...] -> [done] -> [as it came]      released: the leading done
 *
 * With hold set, nothing is released before the end, so that what comes later can still drop
 * records or move them. A record belongs to one joiner_session or to none. joiner_forget drops the
 * records of one session, in time linear in their number.
 */

#include "data/stage.h"
#include "dialects/parts/draft.h"

struct joiner_session {
	struct joined *last; /* the last of its records that are not yet released */
};

struct joined {
	struct joined *next;
	struct joined *previous;
	struct joiner_session *session; /* NULL: the record is never forgotten */
	struct joined *older;           /* neighbours in the same session */
	struct joined *newer;
	uint32_t agent;      /* index of the agent, kept for the reader */
	uint32_t node;       /* node in the reader's tree, kept for the reader */
	struct draft *draft; /* the message while it is being gathered, then NULL */
	struct buf text;
	struct line line; /* source line; raw and text are set on release */
	bool is_given;    /* text is a record as it came; the fields below describe that record */
	enum record_kind kind;
	enum record_state state;
	size_t text_at; /* where line.text starts in line.raw */
	size_t text_len;
};

struct joiner {
	struct stage *stage; /* the reader's stage, which emits the records */
	struct joined *first;
	struct joined *last;
	struct draft *spare; /* an empty draft for reuse, or NULL */
	bool hold;           /* release nothing before joiner_finish */
	bool is_untrusted;   /* whether drafts are made untrusted */
};

/* Adds a record as it came. When nothing is held back, the record is emitted at once without a
 * copy, and NULL is returned. */
struct joined *joiner_pass(
    struct joiner *joiner, struct joiner_session *session, struct record *record);

/* Adds a record that is to be gathered in its draft. */
struct joined *joiner_open(struct joiner *joiner, struct joiner_session *session,
    const struct line *from, struct str role);

/* Completes the draft of the record. An empty draft makes no record. */
void joiner_close(struct joiner *joiner, struct joined *joined);

/* Adds a mark: a record of which nothing is written. It stands for a place among the others. */
struct joined *joiner_mark(struct joiner *joiner);

/* Moves the record, which is not yet released, to before another one. The order of its session
 * stays. */
void joiner_move(struct joiner *joiner, struct joined *joined, struct joined *before);

/* Drops a record that is not yet released. Returns whether it was a message. */
bool joiner_drop(struct joiner *joiner, struct joined *joined);

/* Drops the session's records that are not yet released. Returns how many of them were messages. */
uint64_t joiner_forget(struct joiner *joiner, struct joiner_session *session);

/* Completes the drafts that are still open and releases all records. */
void joiner_finish(struct joiner *joiner);

void joiner_free(struct joiner *joiner);

#endif
