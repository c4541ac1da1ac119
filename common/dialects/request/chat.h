#ifndef REQUEST_CHAT_H
#define REQUEST_CHAT_H

/*
 * The reader of all dialects whose records are chat messages. A record is one message, an array of
 * messages, a request ({"system":…,"messages":[…]}), a conversation in a shape that one dialect has
 * (read_record), or an array of requests or conversations. Each message may be of another dialect.
 * A canonical message is passed unchanged. Any other message goes to the dialect that knows its
 * shape (read_message), which puts canonical messages in its place.
 */

#include "dialects/dialect.h"
#include "dialects/draft/draft.h"
#include "dialects/line_session.h"

struct chat {
	struct dialect_stage base;
	struct dialect_reading *reading;
	/* the dialect of an array or request that has the sign of none */
	const struct dialect *dialect;
	/* A message that read_message makes of blocks: see chat_begin_draft. It is large, and there
	 * may be very many sessions: NULL until the first such message. */
	struct draft *draft;
	struct buf text; /* a message that read_message makes as JSON: see chat_put */
	/* the note on the metadata in text, enum record_read; reset to 0 by chat_put */
	uint8_t read;
	struct buf scratch;
	struct buf half;    /* a message that is partly read: see chat_read_on */
	struct buf element; /* the element of an array that is being read */
	/* The number of the last function_call, of which its id is made: a function_call has
	 * none. */
	unsigned calls;
	struct line_session *session; /* of the line that is being read; NULL until the first */
	struct stage *next;           /* the stage after that session */
	/* Of the record that is being read, for read_record to count: */
	uint64_t odd_turns; /* turns that are not understood */
	uint64_t odd_calls; /* turns of calls whose text is no call, and stays text */
};

/* Makes the reader. An array or a request that has the sign of no dialect counts as one of
 * dialect. */
struct dialect_stage *chat_reader(struct dialect_reading *reading, const struct dialect *dialect);

/* Emits the message in chat->text. */
void chat_put(struct chat *chat, const struct line *line);

/* The same for a message that one dialect has partly read: another dialect may read the rest. */
void chat_read_on(struct chat *chat, const struct line *line);

/* The same for the message that the edit makes. Ends the edit. */
void chat_read_edit(struct chat *chat, const struct line *line, struct json_edit *edit);

/* Begins a message in chat->draft; role must outlive it. */
void chat_begin_draft(struct chat *chat, struct str role);

/* Writes the message in chat->draft into chat->text. */
void chat_write_draft(struct chat *chat);

/* Emits the message in chat->draft, unless the draft is empty. */
void chat_put_draft(struct chat *chat, const struct line *line);

/* Begins a session of its own (line_session.h) for the messages emitted from now on. record is the
 * value that is the session. */
void chat_begin_session(struct chat *chat, struct json_value record);

/* Emits the members of the record beside its messages: a context record, and the system prompt as a
 * message. messages is the name of the member with the messages. */
void chat_read_frame(
    struct chat *chat, const struct line *line, struct json_value record, struct str messages);

/* Reads an element of a list of messages as a record of its own. */
void chat_read_element(struct chat *chat, const struct line *line, struct json_value element);

/* Whether the value is an array of messages or a request. The messages of a request may be an empty
 * list; otherwise at least one must have a role. */
bool chat_is_collection(struct json_value value);

/* Whether the value is an object that holds a conversation: a request, or one of read_record. */
bool chat_is_session(struct json_value value);

/* Whether the record is an array or a request that has messages, all of them with a role. When
 * is_one is given, one of them must also satisfy is_one; elements after that one are not
 * examined. */
bool chat_has_messages(struct json_value record, bool (*is_one)(struct json_value message));

#endif
