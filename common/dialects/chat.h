#ifndef DIALECTS_CHAT_H
#define DIALECTS_CHAT_H

/*
 * The reader of all dialects whose records are chat messages. A record is one message, an array of
 * messages, or a request ({"system":…,"messages":[…]}). The dialect is found for each message
 * anew. A canonical message is emitted as it came. Any other message goes to the dialect that knows
 * its shape (read_message), and that dialect puts canonical messages in its place.
 */

#include "dialects/dialect.h"
#include "dialects/draft.h"
#include "dialects/line_session.h"

struct chat {
	struct dialect_stage base;
	struct dialect_reading *reading;
	const struct dialect *dialect; /* of an array or a request that tells none */
	struct draft draft; /* a message that read_message makes of blocks: see chat_put_draft */
	struct buf text;    /* a message that read_message makes as JSON: see chat_put */
	struct buf scratch;
	struct buf half;     /* a message that is half read: see chat_read_on */
	struct buf element;  /* the element of an array that is being read */
	struct buf stripped; /* the element without its metadata, when input is untrusted */
	/* The number of the last function_call. A function_call has no id: one is made of this. */
	unsigned calls;
	struct line_session session; /* of the line that is being read */
};

/* Makes the reader. An array or a request that tells no dialect counts as one of dialect. */
struct dialect_stage *chat_reader(struct dialect_reading *reading, const struct dialect *dialect);

/* Emits the message in chat->text. */
void chat_put(struct chat *chat, const struct line *line);

/* The same for a message of which one dialect has read what it knows: another may read the rest. */
void chat_read_on(struct chat *chat, const struct line *line);

/* Emits the message in chat->draft, unless the draft is empty. */
void chat_put_draft(struct chat *chat, const struct line *line);

/* Whether the value is an array of messages or a request. The messages of a request may be an empty
 * list; otherwise at least one must have a role. */
bool chat_is_collection(struct json_value value);

/* Whether the record is an array or a request that has messages, all of them with a role. When
 * is_one is given, one of them must also satisfy is_one; elements behind that one are not looked
 * at. */
bool chat_has_messages(struct json_value record, bool (*is_one)(struct json_value message));

#endif
