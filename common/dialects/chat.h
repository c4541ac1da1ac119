#ifndef DIALECTS_CHAT_H
#define DIALECTS_CHAT_H

/*
 * The reader of all dialects whose records are chat messages: one a record, or many in an array or
 * in a request ({"system":…,"messages":[…]}). Every message is read as what it is. One that is
 * canonical is emitted as it came; any other goes to the dialect that knows it (read_message), and
 * that dialect puts canonical messages here.
 */

#include "dialects/dialect.h"
#include "dialects/draft.h"

struct chat {
	struct dialect_stage base;
	struct dialect_reading *reading;
	const struct dialect *dialect;
	struct draft draft; /* for who makes a message of blocks, */
	struct buf text;    /* or of its text */
	struct buf scratch;
	struct buf element; /* of an array, while it is read */
	struct buf stripped;
	unsigned calls; /* function_call has no ids: the number of the last one */
};

/* The reader, of that dialect when a record tells none. */
struct dialect_stage *chat_reader(struct dialect_reading *reading, const struct dialect *dialect);

/* Puts chat->text as a message. */
void chat_put(struct chat *chat, const struct line *line);

/* Puts chat->draft as a message, unless it is empty. */
void chat_put_draft(struct chat *chat, const struct line *line);

/* Whether the record is an array or a request of messages, at least one, and all have a role. With
 * is_one, it is enough that is_one holds for a message before the first without a role. */
bool chat_has_messages(struct json_value record, bool (*is_one)(struct json_value message));

#endif
