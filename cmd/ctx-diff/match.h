#ifndef CTX_DIFF_MATCH_H
#define CTX_DIFF_MATCH_H

/*
 * Which messages of two sides are the same. Both have an order, and what is paired keeps it. What
 * both begin with is paired first; then the surest keys (told.h), and each next kind only fills the
 * gaps between those that are paired:
 *
 *     was    1 2 3 4 5 6 7          of messages with one key the last ones are paired, since a log
 *            |     :   | |          loses its old ones; of pairs that cross, the most that do not
 *     now    1     2   3 4          (the longest increasing run)
 *
 * Time is n log n, memory a few numbers a message.
 */

#include "told.h"

/* Sets partner on both sides. */
void match_find(struct told_all *was, struct told_all *now);

/* What has become of a message. */
enum match_change { MATCH_KEPT, MATCH_CUT, MATCH_CHANGED, MATCH_GONE, MATCH_ADDED, MATCH_CHANGES };

/* A row of a diff: what was, what is now, or both. */
struct match_row {
	enum match_change change;
	const struct told *was, *now; /* NULL: there is none */
};

struct match_rows {
	struct match_row *row;
	size_t count, cap;
	size_t sum[MATCH_CHANGES]; /* rows of each kind */
	bool differs;              /* before the end of what was */
};

/* The rows in the order of both sides, what is gone before what was added there. They point into
 * both, whose messages are paired. */
void match_list(struct match_rows *rows, const struct told_all *was, const struct told_all *now);

/* The word for a change. */
struct str match_word(enum match_change change);

/* Appends how many rows of each kind there are, where there are any; and the tokens of both. */
void match_add_sums(const struct match_rows *rows, struct str joint, struct buf *text);
void match_add_tokens(const struct told_all *was, const struct told_all *now, struct buf *text);

void match_free(struct match_rows *rows);

#endif
