#ifndef PIECES_BPE_H
#define PIECES_BPE_H

/*
 * The number of tokens that byte pair encoding makes of one piece, by two methods:
 *
 *     bpe_merge      as published: merges the two neighbours whose token has the lowest rank, the
 *                    leftmost first, until no two neighbours are a token
 *     bpe_backtrack  after the `bpe` crate of github/rust-gems: takes the longest token that may
 *                    follow the token before, and goes back when there is no such token; linear
 *                    in practice
 *
 * Two tokens may be neighbours when merging their bytes gives these two tokens. In a sound
 * vocabulary, merging the bytes of each token gives that token, which the vocabulary compiler
 * checks. So both methods give the same result. With a damaged vocabulary both methods end too,
 * with a wrong count of at most one token for each byte.
 */

#include "tokens/vocabulary.h"

#define BPE_MERGE_CAP 64 /* the longest piece that bpe_merge takes, in bytes */

/* The working memory of bpe_backtrack, reused from call to call. */
struct bpe {
	struct vocabulary *vocabulary;
	uint32_t *tokens;  /* the tokens taken so far, each as token | length << 24 */
	uint64_t *dead;    /* bit i is set when no tokens lead from byte i to the end */
	size_t cap;        /* bytes of the longest piece that tokens and dead have room for */
	uint64_t *touches; /* recent answers to: may these two tokens be neighbours? */
	unsigned touch_bits;
};

/* vocabulary must outlive bpe. */
void bpe_init(struct bpe *bpe, struct vocabulary *vocabulary);
void bpe_free(struct bpe *bpe);

/* Enlarges the memory for recent answers from 4 KB to 256 KB, which pays in a long run. */
void bpe_grow(struct bpe *bpe);

/* The number of tokens. piece has 1 to BPE_MERGE_CAP bytes. */
size_t bpe_merge(struct vocabulary *vocabulary, struct str piece);

/* The number of tokens. piece is not empty. */
size_t bpe_backtrack(struct bpe *bpe, struct str piece);

#endif
