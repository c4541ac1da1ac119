#ifndef DATA_TOMBSTONE_H
#define DATA_TOMBSTONE_H

/*
 * A stage for what later messages forget: the messages before a tombstone whose metadata.id its
 * metadata.forgets names, with their groups, and a tombstone that says nothing itself; one with
 * content or calls stays. All that is derived in the stages behind is derived from the rest.
 *
 *     message without id ...  | first message with an id ...                 end
 *     passes                  | is held, since a tombstone may come for it   | leaves
 *
 * A group whose call came before the first id stays whole. What is forgotten does not come to the
 * next stage; with marks it comes in its place, as a record that is no message (is_forgotten of
 * struct record).
 *
 * A long record is held with the message that was read from it, so that it is not read again.
 */

#include "data/stage.h"

struct tombstone_held;

struct tombstone {
	struct stage stage;
	bool marks;
	struct tombstone_held *held; /* from the first message with an id on; NULL before */
};

void tombstone_init(struct tombstone *tombstone, bool marks);

/* Lets out what is held and is not forgotten, as the end of the stream does. What comes after it
 * is of another session. */
void tombstone_settle(struct tombstone *tombstone);

void tombstone_free(struct tombstone *tombstone);

#endif
