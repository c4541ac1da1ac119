#ifndef HASH_SUM_H
#define HASH_SUM_H

/*
 * A sum of the bytes of a file, that tells in another run whether they are still the same: like
 * fletcher4 of ZFS, four lanes of words of 64 bits, each with a sum, and a sum of its sums, which
 * knows their order. BLAKE2b makes 128 bits of the lanes and the length. It costs a fifth of an
 * instruction a byte, where a hash that nobody can forge costs several: it finds what changed, and
 * proves nothing to whoever would deceive. base/hash/hash.h is worth nothing in another run.
 *
 *     struct sum sum = SUM_INIT;
 *     sum_add(&sum, bytes);               as often as there are bytes
 *     sum_write(&sum, buf);
 */

#include "base/buf.h"

typedef uint64_t sum_lanes __attribute__((vector_size(32), aligned(8)));

struct sum {
	sum_lanes first, second; /* sums of the words, and of these sums */
	char rest[sizeof(sum_lanes)];
	uint64_t bytes; /* added so far */
};

enum { SUM_DIGITS = 32 };

#define SUM_INIT \
	{ \
		.bytes = 0 \
	}

void sum_add(struct sum *sum, struct str bytes);

/* Appends the sum of the bytes so far, as SUM_DIGITS hexadecimal digits in small letters. More
 * bytes may be added afterwards. */
void sum_write(const struct sum *sum, struct buf *buf);

#endif
