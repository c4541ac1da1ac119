#ifndef MESSAGE_MESSAGE_H
#define MESSAGE_MESSAGE_H

/*
 * A record of the stream, read in place: its kind, and the members that policies read (see
 * ctx-message(5)). All values point into the line; a message owns nothing. Nothing is derived here:
 * values that metadata lacks are derived by data/walk.h and data/session/session.h, which have seen
 * the messages before.
 */

#include "data/message/message_names.h"
#include "data/message/tool_call.h"
#include "json/string.h"

enum record_kind {
	RECORD_BLANK,
	RECORD_MESSAGE, /* an object with a string member "role" */
	RECORD_CONTEXT,
	RECORD_BUDGET,
	RECORD_SOURCE,  /* source_record.h: passes, and is counted nowhere */
	RECORD_FOREIGN, /* any other JSON value */
	RECORD_BAD,     /* cannot be read */
};

/* Whether records of that kind stay behind all messages when these get another order. */
static inline bool
record_kind_trails(enum record_kind kind)
{
	return kind == RECORD_BUDGET || kind == RECORD_SOURCE;
}

/* The name under which metadata can be added to a message that has none. A name whose value is null
 * or an empty array, which is PHP's empty object, is free: metadata replaces the value. A name with
 * another value is taken: metadata goes under the other name. */
enum metadata_home {
	METADATA_PLAIN,      /* "metadata" */
	METADATA_UNDERSCORE, /* "_metadata" */
	METADATA_NOWHERE,    /* both names are taken */
};

/* So many calls are noted when a message is parsed. */
enum { MESSAGE_CALLS = JSON_ELEMENTS_MAX };

struct message {
	enum record_kind kind;
	enum role role;
	struct json_value value; /* the whole object */
	struct json_value role_value;
	struct json_value content;
	struct json_value tool_calls;
	struct json_value tool_call_id;
	struct json_value name;
	struct json_value type;
	struct json_value refusal;
	struct json_value reasoning; /* "reasoning_content" */
	/* The string tool_result.content: instructor says the text of a result twice. Or absent. */
	struct json_value result_text;
	/* The object under either name; absent when neither value is an object. */
	struct json_value metadata;
	/* Its members. What metadata lacks is taken from where instructor says it: tool_result,
	 * createdAt; section and kind say each other of a summary. */
	struct json_value meta[METADATA_COUNT];
	enum metadata_home home;
	struct json_value home_free; /* the value under home that metadata replaces; or absent */
	bool has_metadata;           /* there is a member of either name, with any value */
	/* What call_walk_next gives: all calls of the array at noted, call_count of them. noted is
	 * NULL when the array has to be read. */
	const char *noted;
	uint32_t call_count;
	struct tool_call call[MESSAGE_CALLS];
	const struct json_spans *spans; /* of the text, if they were noted; or NULL */
	/* There may be messages in it: it is no object, or has a member that may hold some. */
	bool may_hold;
	size_t error_at;   /* RECORD_BAD: offset in the line, from 0 */
	const char *error; /* RECORD_BAD: a phrase that says what is wrong */
};

/* Prepares the name tables; call once before message_parse. */
void message_init(void);

/* Reads text, a line without its line end, into message. JSON_PADDING readable bytes must
 * follow. */
void message_parse(struct message *message, struct str text);

/* Makes record a message of the user that says the text, and reads it into message. */
void message_say(struct message *message, struct str text, struct buf *record);

/* Reads a text again that message_parse has read, and found neither blank nor bad. What was
 * validated once is not validated again. */
void message_reread(struct message *message, struct str text);

/* The values of a message that may be long: its calls, its content, its reasoning. An edit leaves
 * most of them as they are, so that they need not be read again. */
enum { MESSAGE_LONG = 3 };

/* Reads a text that was made of validated values, of which no member is repeated. */
void message_read_made(struct message *message, struct str text);

/* Completes what would be read from such a text. Whoever made the text has set value, role_value,
 * and of content, tool_call_id, tool_calls, the calls that are noted, metadata and meta what it
 * has; all else is zero. */
void message_set_made(struct message *message);

/* Sets those in moved that lie in the piece of the message's text, which was copied to to. */
void message_note_moved(const struct message *message, struct str piece, const char *to,
    struct json_value moved[MESSAGE_LONG]);

/* The same as message_reread of a text that was edited; before was read from the text before, and
 * has moved to where moved says, absent where it has been edited. */
void message_reread_moved(struct message *message, struct str text, const struct message *before,
    const struct json_value moved[MESSAGE_LONG]);

/* Reads the first line of text, which begins with a value, in the same pass that finds the end of
 * the line. Returns the length of the line, its LF included; or 0 when the line is not valid or not
 * ended in text: find its end and call message_parse then. spans, unless it is NULL, gets the long
 * values of the line, and lives as long as the message. */
size_t message_parse_line(struct message *message, struct str text, struct json_spans *spans);

/* Members of metadata. A flag is 1 for true, 0 for false, and -1 when metadata does not have it. */
int message_flag(const struct message *message, enum metadata_name name);
static inline enum origin
message_origin(const struct message *message)
{
	return origin_of(message->meta[METADATA_ORIGIN]);
}
static inline bool
message_is(const struct message *message, enum metadata_name name)
{
	return message_flag(message, name) == 1;
}

/* The section that the message says, or messages: a part of its text or of scratch. */
struct str message_section(const struct message *message, struct buf *scratch);

/* The name of the model that made the message, as its metadata or an API's answer says it; of no
 * string type where neither does. */
static inline struct json_value
message_model(const struct message *message)
{
	struct json_value model = message->meta[METADATA_MODEL];

	return model.type == JSON_STRING ? model : json_find(message->value, STR("model"));
}

/* Whether the message is an artifact of isolation or compaction: its kind is summary or trace. */
static inline bool
message_is_artifact(const struct message *message)
{
	return json_is(message->meta[METADATA_KIND], STR("summary")) ||
	    json_is(message->meta[METADATA_KIND], STR("trace"));
}

/* Whether the message is the user's words: of role user, no artifact, and of no other origin. */
static inline bool
message_is_request(const struct message *message)
{
	enum origin origin = message_origin(message);

	return message->role == ROLE_USER && !message_is_artifact(message) &&
	    (origin == ORIGIN_NONE || origin == ORIGIN_USER);
}

/* Whether the message has at least one call. */
bool message_has_calls(const struct message *message);

/* Whether there is a content of more than null, "" or []. */
static inline bool
message_has_text(const struct message *message)
{
	return message->content.len > sizeof "null" - 1;
}

/* Makes the message, which has no calls, one of the assistant that has this one. */
void message_set_call(struct message *message, const struct tool_call *call);

/* A walk over the calls of a message, which must stay where it is meanwhile. */
struct call_walk call_walk_of(const struct message *message);
#endif
