#ifndef DIALECTS_JOINER_H
#define DIALECTS_JOINER_H

/*
 * Records on their way from a reader to the next stage, in the order in which their first source
 * lines came. One that is still being gathered holds back what stands behind it:
 *
 *     first -> [done] -> [draft ...] -> [done] -> [bad line]        released: what leads, if done
 *
 * With hold set nothing is released before the end, so that what was overtaken can be forgotten.
 */

#include "data/stage.h"
#include "dialects/draft.h"

struct joined {
	struct joined *next;
	struct draft *draft; /* while it is being gathered */
	struct buf text;
	struct line line;    /* whose record it is; raw and text are set when it is emitted */
	bool is_bad;         /* text is a bad line, as it came */
};

struct joiner {
	struct stage *stage; /* the reader's, behind which the records go on */
	struct joined *first;
	struct joined *last;
	struct draft *spare; /* one emptied draft, to be used again */
	bool hold;
	bool is_untrusted; /* for the drafts */
};

/* Adds a bad line; its bytes are copied. */
void joiner_add_bad(struct joiner *joiner, const struct line *line);

/* Adds a record that is to be gathered in its draft. */
struct joined *joiner_open(struct joiner *joiner, const struct line *from, struct str role);

/* The draft is complete; an empty one makes no record. */
void joiner_close(struct joiner *joiner, struct joined *joined);

/* Drops every record that was not released. */
void joiner_forget(struct joiner *joiner);

/* Completes what is still open, releases all. */
void joiner_finish(struct joiner *joiner);

void joiner_free(struct joiner *joiner);

#endif
