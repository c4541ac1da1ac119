#ifndef DIALECTS_JOINER_H
#define DIALECTS_JOINER_H

/*
 * Records on their way from a reader to its sink, in the order in which their first source lines
 * came. One that is still being gathered holds back what stands behind it:
 *
 *     first -> [done] -> [draft ...] -> [done] -> [bad line]        released: what leads, if done
 *
 * With hold set nothing is released before the end, so that what was overtaken can be forgotten.
 */

#include "dialects/draft.h"
#include "dialects/sink.h"

struct joined {
	struct joined *next;
	struct draft *draft; /* while it is being gathered */
	struct buf text;
	struct line line;    /* whose record it is; raw and text are set when it is put */
	bool is_bad;
};

struct joiner {
	struct sink sink;
	struct joined *first;
	struct joined *last;
	struct draft *spare; /* one emptied draft, to be used again */
	bool hold;
};

/* Adds a record; text is copied. */
void joiner_add(struct joiner *joiner, const struct line *from, struct str text, bool is_bad);

/* Adds a record that is to be gathered in its draft. */
struct joined *joiner_open(struct joiner *joiner, const struct line *from, struct str role);

/* The draft is complete; an empty one makes no record. */
void joiner_close(struct joiner *joiner, struct joined *joined);

/* Drops every record that was not released. */
void joiner_forget(struct joiner *joiner);

/* Completes what is still open, releases all. */
void joiner_finish(struct joiner *joiner);

#endif
