#ifndef MESSAGE_MESSAGE_H
#define MESSAGE_MESSAGE_H

/*
 * A record of the stream, read in place: its kind, and the members that policies read (see
 * ctx-message(5)). All values point into the line; a message owns nothing. Nothing is derived here:
 * values that metadata lacks are derived by data/walk.h and data/session/session.h, which know the
 * earlier messages.
 */

#include "data/message/message_names.h"
#include "data/message/tool_call.h"
#include "json/string.h"

enum record_kind {
	RECORD_BLANK,
	RECORD_MESSAGE, /* an object with a string member "role" */
	RECORD_CONTEXT,
	RECORD_BUDGET,
	RECORD_SOURCE,  /* see source_record.h: passes through, and is not counted */
	RECORD_FOREIGN, /* any other JSON value */
	RECORD_BAD,     /* cannot be read */
};

/* Whether records of that kind stay after all messages when messages are reordered. */
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

/* The number of calls that are noted when a message is parsed. */
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
	/* The string tool_result.content, or absent: instructor writes the text of a result
	 * twice. */
	struct json_value result_text;
	/* The object under "metadata" or "_metadata"; absent when neither value is an object. */
	struct json_value metadata;
	/* The members of metadata. A member that metadata lacks is taken from the member in which
	 * instructor has it (tool_result, createdAt). For a summary, section is taken from kind,
	 * and kind from section. */
	struct json_value meta[METADATA_COUNT];
	enum metadata_home home;
	struct json_value home_free; /* the value under home that metadata replaces; or absent */
	bool has_metadata;           /* there is a member of either name, with any value */
	/* The calls for call_walk_next: all call_count calls of the array that begins at noted.
	 * noted is NULL when the walk must read the array. */
	const char *noted;
	uint32_t call_count;
	struct tool_call call[MESSAGE_CALLS];
	const struct json_spans *spans; /* of the text, if they were noted; or NULL */
	/* The record may contain messages: it is no object, or has a member that may hold some. */
	bool may_hold;
	size_t error_at;   /* RECORD_BAD: offset in the line, from 0 */
	const char *error; /* RECORD_BAD: a phrase that says what is wrong */
};

/* Prepares the name tables; call once before message_parse. */
void message_init(void);

/* Reads text, a line without its line end, into message. JSON_PADDING readable bytes must
 * follow. */
void message_parse(struct message *message, struct str text);

/* Writes a user message with that text into record, and reads the message from there. */
void message_say(struct message *message, struct str text, struct buf *record);

/* Reads a text again that message_parse has read and found neither blank nor bad. Does not validate
 * the text again. */
void message_reread(struct message *message, struct str text);

/* The same, of a text of which some long members are known: these are not read again. If only texts
 * are wanted, what metadata has is absent from meta, and so are calls and results that only
 * metadata has. */
enum { MESSAGE_KNOWN = 3 };
struct message_known {
	struct json_value member[MESSAGE_KNOWN];
	unsigned count;
	bool texts_only;
};
void message_reread_known(
    struct message *message, struct str text, const struct message_known *known);

/* The number of values of a message that may be long: its calls, its content, its reasoning. An
 * edit leaves most of them unchanged; those need not be read again. */
enum { MESSAGE_LONG = 3 };

/* Reads a text that this program made of validated values. No member may be repeated. */
void message_read_made(struct message *message, struct str text);

/* Completes a message for such a text, without reading the text. The caller has set value and
 * role_value, and those of content, tool_call_id, tool_calls, the noted calls, metadata and meta
 * that the text has; all other members are zero. */
void message_set_made(struct message *message);

/* piece is a part of the message's text that was copied to the memory at to. Sets those elements of
 * moved whose values are in piece to their copies. */
void message_note_moved(const struct message *message, struct str piece, const char *to,
    struct json_value moved[MESSAGE_LONG]);

/* The same as message_reread, for a text that was edited. before was read from the old text. moved
 * has the long values of before at their new places; a value that was edited is absent. */
void message_reread_moved(struct message *message, struct str text, const struct message *before,
    const struct json_value moved[MESSAGE_LONG]);

/* Reads the first line of text, which begins with a value, in the same pass that finds the end of
 * the line. Returns the length of the line with its LF. Returns 0 when the line is not valid, or
 * text has no LF: then find the end of the line and call message_parse. spans gets the long values
 * of the line and must live as long as the message; it may be NULL. */
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

/* The section in the metadata of the message, or "messages". Valid as long as the message and the
 * content of scratch. */
struct str message_section(const struct message *message, struct buf *scratch);

/* The name of the model that made the message: a string from its metadata, or the member "model" of
 * an API's response. Not a string when neither is there. */
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

/* Whether the user wrote the message: its role is user, it is no artifact, and metadata gives no
 * origin but user. */
static inline bool
message_is_request(const struct message *message)
{
	enum origin origin = message_origin(message);

	return message->role == ROLE_USER && !message_is_artifact(message) &&
	    (origin == ORIGIN_NONE || origin == ORIGIN_USER);
}

/* Whether the message has at least one call. */
bool message_has_calls(const struct message *message);

/* Whether the message has a content that is not null, "" or []. */
static inline bool
message_has_text(const struct message *message)
{
	return message->content.len > sizeof "null" - 1;
}

/* Turns the message, which has no calls, into an assistant message with this one call. */
void message_set_call(struct message *message, const struct tool_call *call);

/* Begins a walk over the calls of a message. The message must not be moved during the walk. */
struct call_walk call_walk_of(const struct message *message);
#endif
