#ifndef HASH_BLAKE2B_H
#define HASH_BLAKE2B_H

/*
 * BLAKE2b without a key (RFC 7693): a hash that nobody can forge, for names that outlive the
 * program. The hashes of base/hash/hash.h are faster, but differ in each run.
 *
 *     blake2b_init(&state, 16);
 *     blake2b_add(&state, bytes);          as often as there are bytes
 *     blake2b_end(&state, digest);
 *
 * To get the digest of the bytes so far and go on, end a copy of the state.
 */

#include <stdint.h>

#include "base/str.h"

enum { BLAKE2B_BLOCK = 128, BLAKE2B_MOST = 64 };

struct blake2b {
	uint64_t h[8];
	uint64_t bytes; /* added so far, those in block included */
	uint8_t block[BLAKE2B_BLOCK];
	size_t used; /* bytes in block */
	size_t len;  /* of the digest */
};

/* Begins a hash with a digest of len bytes, 1 to 64. */
void blake2b_init(struct blake2b *state, size_t len);

void blake2b_add(struct blake2b *state, struct str bytes);

/* Writes the digest, len bytes. The state cannot be used after that. */
void blake2b_end(struct blake2b *state, uint8_t *digest);

#endif
