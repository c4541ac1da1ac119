#ifndef HASH_HASH_H
#define HASH_HASH_H

/*
 * Hashes of 128 bits under a secret. The secret is drawn at
 * random when the program starts, so hostile input cannot choose collisions. A hash is so wide that
 * equal hashes are taken for equal bytes. No output depends on the value of such a hash.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct hash {
	uint64_t a;
	uint64_t b;
};

static inline bool
hash_eq(struct hash a, struct hash b)
{
	return a.a == b.a && a.b == b.b;
}

/* The kind of thing that is hashed. The same bytes have different hashes under different kinds. */
enum hash_kind {
	HASH_AGENT,       /* the name of an agent */
	HASH_ARCHIVE,     /* the key of an entry of an archive */
	HASH_CALL,        /* name and arguments of a tool call */
	HASH_CALL_DIGEST, /* the digest kept for a call whose arguments were shortened */
	HASH_CALL_ID,     /* the id of a call, in the call or in its result */
	HASH_EXECUTION,   /* the id of an execution */
	HASH_GIVEN_ID,    /* an id that a writer gives to a call */
	HASH_GROUP,       /* the number of a group */
	HASH_LABEL,       /* a name in a list of distinct names */
	HASH_MESSAGE_ID,
	HASH_RECORD,  /* a message, as a JSON value */
	HASH_SESSION, /* the key of a session */
	HASH_TARGET,  /* a path, or a command */
};

struct hash hash_seed(enum hash_kind kind);

/* The hash of bytes, or of a number. seed comes from hash_seed, or is another hash: then the result
 * is the hash of both, in that order. */
struct hash hash_bytes(struct str bytes, struct hash seed);
struct hash hash_number(uint64_t number, struct hash seed);

/* A hash without the secret: the same in every run and on every machine. Texts with equal hashes
 * can be found. base/hash/blake2b.h has a hash that nobody can forge, at twenty times the cost. */
struct hash hash_lasting(struct str bytes, struct hash seed);

static inline struct hash
hash_label(struct str name)
{
	return hash_bytes(name, hash_seed(HASH_LABEL));
}

/* A hash of bytes that come in pieces; the sizes of the pieces do not matter. Begin with
 * HASH_STREAM_INIT. hash_stream_is_equal compares two streams of bytes. */
struct hash_stream {
	struct hash hash;
	char rest[16];
	unsigned rest_len;
};

#define HASH_STREAM_INIT \
	{ \
		{0, 0}, {0}, 0 \
	}

void hash_stream_add(struct hash_stream *stream, struct str bytes);
bool hash_stream_is_equal(const struct hash_stream *a, const struct hash_stream *b);

#endif
