#ifndef TOKENS_BPE_H
#define TOKENS_BPE_H

/*
 * How many tokens byte pair encoding makes of one piece. Two methods with one result:
 *
 *     bpe_merge      as published: merge the neighbours whose token has the lowest rank, the
 *                    leftmost first, until none are a token
 *     bpe_backtrack  after the `bpe` crate of github/rust-gems: take the longest token that may
 *                    stand behind the one before, go back where none may; linear in practice
 *
 * A damaged vocabulary makes both end with some count of at most a token a byte.
 *
 * Two tokens may stand side by side when merging their bytes gives just them. Both methods agree
 * since every token of a vocabulary is what merging its own bytes gives; the compiler checks that.
 */

#include "tokens/vocabulary.h"

#define BPE_MERGE_CAP 64 /* the longest piece that bpe_merge takes, in bytes */

/* The working memory of bpe_backtrack, about 270 KB, reused from call to call. */
struct bpe {
	struct vocabulary *vocabulary;
	uint32_t *tokens; /* those taken so far, | length << 24, for a piece of up to cap bytes */
	uint64_t *dead;   /* bit i: no way leads on from byte i */
	size_t cap;
	uint64_t *touches; /* recent answers: may these two tokens stand side by side? */
};

/* vocabulary must outlive bpe. */
void bpe_init(struct bpe *bpe, struct vocabulary *vocabulary);
void bpe_free(struct bpe *bpe);

/* The count of tokens; piece is 1 to BPE_MERGE_CAP bytes. */
size_t bpe_merge(struct vocabulary *vocabulary, struct str piece);

/* The count of tokens; piece is not empty. */
size_t bpe_backtrack(struct bpe *bpe, struct str piece);

#endif
