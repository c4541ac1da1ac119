#ifndef PIECES_PIECE_COUNTS_H
#define PIECES_PIECE_COUNTS_H

/*
 * The token counts of pieces. Most pieces are repeated often, so the counts of recent pieces are
 * kept, in memory that grows to 1.5 MB.
 */

#include "tokens/pieces/bpe.h"

/* The number of bytes that must be readable from the start of a piece on. */
#define PIECE_COUNTS_AHEAD 15

struct piece_counts_long;

struct piece_counts {
	struct bpe bpe;
	unsigned bits;
	size_t new_count; /* pieces that were not in the tables, since these have this size */
	uint64_t *tinies;
	struct piece_key *shorts;
	struct piece_counts_long *longs;
};

/* vocabulary must outlive the counts. */
void piece_counts_init(struct piece_counts *counts, struct vocabulary *vocabulary);
void piece_counts_free(struct piece_counts *counts);

/* The sum of the tokens of end_count pieces. The first piece begins at offset start of text, and
 * ends has the end of each piece; end_count is at most 2 * SPLIT_BATCH. */
size_t piece_counts_sum(struct piece_counts *counts, const char *text, size_t start,
    const size_t *ends, size_t end_count);

#endif
