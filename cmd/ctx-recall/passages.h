#ifndef CTX_RECALL_PASSAGES_H
#define CTX_RECALL_PASSAGES_H

/*
 * -F: the passages of an archive's messages that have most of the given words, and the rarest of
 * them, near each other. The best come first.
 *
 *     "Where are maxRecordings stored?"   where are max record stor
 *
 * A word is a run of letters or of digits, in an identifier each part, in any case, without the
 * endings of English grammar. The archive is read twice: once to count in how many entries each
 * word is, once to find the passages. A passage is at most WINDOW bytes from its first word to its
 * last. Its value is the sum of log2(1 + entries / entries with the word) over its distinct words.
 * Words of the heading count half, and of two passages the shorter one is better. Only the best
 * passages are kept in memory.
 */

#include "base/hash/hash.h"
#include "look_up.h"

struct passage {
	uint64_t value;
	uint32_t item; /* of the index */
	uint32_t keys; /* of entries that have it */
	size_t from, to;
	struct hash text; /* of its lines */
};

/* Sets *list to the best passages for the words of the options, the best first. The caller frees
 * the list. Returns their number. */
size_t passages_find(struct look_up *recall, struct passage **list);

#endif
