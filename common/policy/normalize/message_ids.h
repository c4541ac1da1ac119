#ifndef POLICY_NORMALIZE_MESSAGE_IDS_H
#define POLICY_NORMALIZE_MESSAGE_IDS_H

/*
 * Every metadata.id of a stream, so that each message can have its own. A pinned message always
 * stays: it repeats no id, and no other message repeats its id.
 */

#include "base/hash/map.h"
#include "data/message/message.h"

struct message_ids {
	struct map keys; /* of an id, with what its first record says, and of each further record */
	struct map forgotten; /* ids that tombstones named, and how often */
	struct buf scratch;
};

/* The kind of a message's id. */
enum message_id {
	MESSAGE_ID_NEW,      /* its own, or there is none */
	MESSAGE_ID_REPEATED, /* that of an equal record */
	MESSAGE_ID_TAKEN,    /* that of another message */
};

/* Adds the id of the message, whose record is text. If the id is taken, sets own to a JSON string:
 * another id, which no message so far has. */
enum message_id message_ids_add(
    struct message_ids *ids, const struct message *message, struct str text, struct buf *own);

/* A tombstone names the id, a string: a later message may have it. */
void message_ids_forget(struct message_ids *ids, struct json_value id);

/* Forgets all that was added. */
void message_ids_free(struct message_ids *ids);

#endif
