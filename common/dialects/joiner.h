#ifndef DIALECTS_JOINER_H
#define DIALECTS_JOINER_H

/*
 * Records on their way from a reader to the next stage, in the order in which their first source
 * lines came. One that is still being gathered holds back what stands behind it:
 *
 *     first -> [done] -> [draft ...] -> [done] -> [as it came]      released: what leads, if done
 *
 * With hold set nothing is released before the end, so that what was overtaken can be forgotten: a
 * record belongs to a joiner_session or to none, and joiner_forget drops those of one session in
 * time linear in their number.
 */

#include "data/stage.h"
#include "dialects/draft.h"

struct joiner_session {
	struct joined *last; /* of its records that were not released */
};

struct joined {
	struct joined *next;
	struct joined *previous;
	struct joiner_session *session; /* NULL: it is never forgotten */
	struct joined *older;           /* neighbours of the same session */
	struct joined *newer;
	uint32_t agent;      /* for the reader */
	struct draft *draft; /* while it is being gathered */
	struct buf text;
	struct line line; /* whose record it is; raw and text are set when it is emitted */
	bool is_given;    /* text is a record as it came: */
	enum record_kind kind;
	enum record_state state;
	size_t text_at; /* where its line.text lies in its line.raw */
	size_t text_len;
};

struct joiner {
	struct stage *stage; /* the reader's, behind which the records go on */
	struct joined *first;
	struct joined *last;
	struct draft *spare; /* one emptied draft, to be used again */
	bool hold;
	bool is_untrusted; /* for the drafts */
};

/* Adds a record as it came. Where nothing is held back it goes on at once, and nothing is
 * copied. */
void joiner_pass(struct joiner *joiner, struct joiner_session *session, struct record *record);

/* Adds a record that is to be gathered in its draft. */
struct joined *joiner_open(struct joiner *joiner, struct joiner_session *session,
    const struct line *from, struct str role);

/* The draft is complete; an empty one makes no record. */
void joiner_close(struct joiner *joiner, struct joined *joined);

/* Drops the session's records that were not released; returns how many of them were messages. */
uint64_t joiner_forget(struct joiner *joiner, struct joiner_session *session);

/* Completes what is still open, releases all. */
void joiner_finish(struct joiner *joiner);

void joiner_free(struct joiner *joiner);

#endif
