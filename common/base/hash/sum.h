#ifndef HASH_SUM_H
#define HASH_SUM_H

/*
 * A checksum of the bytes of a file, by which another run sees whether the file changed. As in
 * fletcher4 of ZFS, there are four lanes of 64-bit words. Each lane has the sum of its words, and
 * the sum of these sums, which depends on the order of the words. BLAKE2b makes 128 bits of the
 * lanes and the length. The sum costs a fifth of an instruction a byte; a hash that nobody can
 * forge costs several. So the sum finds a change, but an attacker can make a file with the same
 * sum. The hashes of base/hash/hash.h differ in each run.
 *
 *     struct sum sum = SUM_INIT;
 *     sum_add(&sum, bytes);               as often as there are bytes
 *     sum_write(&sum, buf);
 */

#include "base/buf.h"

typedef uint64_t sum_lanes __attribute__((vector_size(32), aligned(8)));

struct sum {
	sum_lanes first, second; /* the sums of the words; the sums of those sums */
	char rest[sizeof(sum_lanes)];
	uint64_t bytes; /* added so far */
};

enum { SUM_DIGITS = 32 };

#define SUM_INIT \
	{ \
		.bytes = 0 \
	}

void sum_add(struct sum *sum, struct str bytes);

/* Appends the sum of the bytes so far, as SUM_DIGITS hexadecimal digits in lower case. More bytes
 * may be added after that. */
void sum_write(const struct sum *sum, struct buf *buf);

#endif
