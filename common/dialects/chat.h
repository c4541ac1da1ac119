#ifndef DIALECTS_CHAT_H
#define DIALECTS_CHAT_H

/*
 * The reader of all dialects whose records are chat messages: one a record, or many in an array or
 * in a request ({"system":…,"messages":[…]}). Every message is read as what it is: what is canonical
 * already is emitted as it came, the rest goes to the dialect that knows it (read_message), which
 * puts what it makes of it here.
 */

#include "dialects/dialect.h"
#include "dialects/draft.h"

struct chat {
	struct dialect_stage base;
	struct dialect_reading *reading;
	const struct dialect *dialect;
	struct draft draft;   /* for who makes a message of blocks, */
	struct buf text;      /* or of its text */
	struct buf scratch;
	struct buf element;   /* of an array, while it is read */
	struct buf stripped;
	unsigned calls;       /* function_call has no ids: the number of the last one */
};

/* The reader, of that dialect when a record tells none. */
struct dialect_stage *chat_reader(struct dialect_reading *reading, const struct dialect *dialect);

/* Puts chat->text as a message. */
void chat_put(struct chat *chat, const struct line *line);

/* Puts chat->draft as a message, unless it is empty. */
void chat_put_draft(struct chat *chat, const struct line *line);

/* Whether the record is an array or a request of messages, all with a role, and there is one. is_one
 * tells more of each message: with it, some message up to the first without a role must be one. */
bool chat_has_messages(struct json_value record, bool (*is_one)(struct json_value message));

#endif
