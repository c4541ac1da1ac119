#ifndef VIEW_TOMBSTONE_H
#define VIEW_TOMBSTONE_H

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

#include "data/select/sieve.h"

struct tombstone_held;

struct tombstone {
	struct stage stage;
	struct tombstone_held *held; /* from the first message with an id on; NULL before */
};

void tombstone_init(struct tombstone *tombstone);

void tombstone_free(struct tombstone *tombstone);

#endif
