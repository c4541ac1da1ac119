#ifndef CTX_RECALL_PASSAGES_H
#define CTX_RECALL_PASSAGES_H

/*
 * -F: the passages of an archive's messages in which the most and rarest of some words are near
 * each other, the best first.
 *
 *     "Where are maxRecordings stored?"   where are max record stor
 *
 * A word is a run of letters or of digits, of an identifier each part, in any case, without the
 * endings of English grammar. The archive is read twice: once to count in how many entries each
 * word is, once to find the passages. A passage is at most WINDOW bytes from its first word to its
 * last one, and is worth what its distinct words are: log2 of the number of entries for each that
 * has the word. Words of the heading count half, and of two passages the shorter one is better.
 * Only the best passages are held.
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

/* Sets list, which is the caller's to free, to the best passages that have the words of the
 * options, the best first. Returns how many. */
size_t passages_find(struct look_up *recall, struct passage **list);

#endif
