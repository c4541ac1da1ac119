#ifndef POLICY_TOMBSTONE_H
#define POLICY_TOMBSTONE_H

/*
 * A stage that takes out what later messages forget: the messages before a tombstone whose
 * metadata.id its metadata.forgets names, with their groups. A tombstone that says nothing goes,
 * too; one with content or calls stays. What is taken out comes to no stage behind, so that all
 * that is derived there is derived from the rest.
 *
 *     message without id ...  | first message with an id ...                 end
 *     passes                  | is held, since a tombstone may come for it   | leaves
 *
 * A group whose call came before the first id stays whole.
 */

#include "data/sieve.h"

struct tombstone {
	struct sieve sieve; /* first, so that it is a stage */
	bool holds;         /* a message with an id has come */
	struct map by_id;   /* id -> the newest item of that id */
	uint64_t *older;    /* for each item the one before it of the same id, or MAP_NONE */
	size_t count, cap;
	struct buf scratch;
};

void tombstone_init(struct tombstone *tombstone);

void tombstone_free(struct tombstone *tombstone);

#endif
