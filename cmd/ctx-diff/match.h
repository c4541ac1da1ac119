#ifndef CTX_DIFF_MATCH_H
#define CTX_DIFF_MATCH_H

/*
 * Pairs the messages of two sides that are the same. Pairs never cross. The common beginning is
 * paired first, then messages with equal keys (told.h): the surest kind of key first, and each next
 * kind only in the gaps between pairs:
 *
 *     was    1 2 3 4 5 6 7          of messages with the same key, the last are paired, since a log
 *            |     :   | |          loses old ones; of pairs that would cross, as many are kept
 *     now    1     2   3 4          as do not cross (the longest increasing run)
 *
 * Time is n log n, memory a few numbers a message.
 */

#include "told.h"

/* Sets partner on both sides. */
void match_find(struct told_all *was, struct told_all *now);

/* The change of a message. */
enum match_change { MATCH_KEPT, MATCH_CUT, MATCH_CHANGED, MATCH_GONE, MATCH_ADDED, MATCH_CHANGES };

/* A row of a diff: the message in OLD, the message in NEW, or both. */
struct match_row {
	enum match_change change;
	const struct told *was, *now; /* NULL: there is none */
};

struct match_rows {
	struct match_row *row;
	size_t count, cap;
	size_t sum[MATCH_CHANGES]; /* rows of each kind */
	bool differs;              /* OLD and NEW differ before the end of OLD */
};

/* Sets the rows, in the order of both sides; at one place, removed messages come before added ones.
 * The rows point into both sides, whose messages must be paired. */
void match_list(struct match_rows *rows, const struct told_all *was, const struct told_all *now);

/* The word for a change. */
struct str match_word(enum match_change change);

/* Append the number of rows of each kind that occurs; and the tokens of both sides. */
void match_add_sums(const struct match_rows *rows, struct str joint, struct buf *text);
void match_add_tokens(const struct told_all *was, const struct told_all *now, struct buf *text);

void match_free(struct match_rows *rows);

#endif
