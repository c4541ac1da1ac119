#ifndef DATA_TOMBSTONE_H
#define DATA_TOMBSTONE_H

/*
 * A stage that removes messages which a later message forgets. Such a later message, a tombstone,
 * names the metadata.id of earlier messages in its metadata.forgets. These messages are forgotten,
 * with their groups. A tombstone without content and calls is forgotten, too. The next stages
 * derive everything from the messages that are left.
 *
 *     message without id ...  | first message with an id ...                 end
 *     passes                  | is held, since a tombstone may come for it   | leaves
 *
 * A group whose call message came before the first id is never forgotten. The next stage does not
 * get forgotten messages. With marks it gets them in their place, as records that are no messages
 * (is_forgotten of struct record).
 *
 * A long record is held with the message that was read from it, so that it is not read again.
 */

#include "data/stage.h"

struct tombstone_held;

struct tombstone {
	struct stage stage;
	bool marks;                  /* forgotten messages are emitted as marked records */
	struct tombstone_held *held; /* from the first message with an id on; NULL before */
};

void tombstone_init(struct tombstone *tombstone, bool marks);

/* Emits the held records that are not forgotten, as at the end of the stream. The next record is of
 * another session. */
void tombstone_settle(struct tombstone *tombstone);

void tombstone_free(struct tombstone *tombstone);

#endif
