#ifndef PIECES_PIECE_COUNTS_H
#define PIECES_PIECE_COUNTS_H

/*
 * The counts of pieces. Most pieces come again and again, so that the counts of recent ones are
 * remembered, in memory that grows to 1.5 MB.
 */

#include "tokens/pieces/bpe.h"

/* Bytes from the start of a piece that must be readable, with the byte at its start. */
#define PIECE_COUNTS_AHEAD 15

struct piece_counts_short;
struct piece_counts_long;

struct piece_counts {
	struct bpe bpe;
	unsigned bits;
	size_t new_count; /* pieces that were not remembered, since the tables have this size */
	uint64_t *tinies;
	struct piece_counts_short *shorts;
	struct piece_counts_long *longs;
};

/* vocabulary must outlive the counts. */
void piece_counts_init(struct piece_counts *counts, struct vocabulary *vocabulary);
void piece_counts_free(struct piece_counts *counts);

/* The tokens of the pieces of text from start on, of which the ends are given: 2 * SPLIT_BATCH at
 * most. */
size_t piece_counts_sum(struct piece_counts *counts, const char *text, size_t start,
    const size_t *ends, size_t end_count);

#endif
