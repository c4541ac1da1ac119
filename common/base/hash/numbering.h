#ifndef HASH_NUMBERING_H
#define HASH_NUMBERING_H

/*
 * Numbers for hashes, from 1 on, in the order in which the hashes came: whoever keeps many hashes
 * keeps four bytes for each, and the numbering some 25 for each that is different.
 *
 * Hashes are equal if all their 128 bits are (hash.h). Zeroed, a numbering is empty.
 */

#include "base/hash/hash.h"

struct numbering {
	struct hash *key; /* of number i + 1 */
	uint32_t count, cap;
	uint32_t *slot; /* numbers, by linear probing; 0: free. At most two thirds are used */
	size_t slots;   /* a power of two, or 0 */
};

/* The number of the hash, which is added if it is new. */
uint32_t numbering_add(struct numbering *numbering, struct hash key);

void numbering_free(struct numbering *numbering);

#endif
