#ifndef DATA_MESSAGE_H
#define DATA_MESSAGE_H

/*
 * A record of the stream, read in place: what kind it is and where the members lie that policies
 * read (ctx-message(5)). Everything points into the line; nothing is owned. What metadata does not
 * say is not derived here but in data/session.h, which sees the messages before.
 */

#include "base/buf.h"
#include "json/walk.h"

enum record_kind {
	RECORD_BLANK,
	RECORD_MESSAGE, /* has a string member "role" */
	RECORD_CONTEXT,
	RECORD_BUDGET,
	RECORD_FOREIGN, /* any other JSON value */
	RECORD_BAD,     /* cannot be read */
};

enum role {
	ROLE_OTHER, /* an unknown role: passes, and no policy touches it */
	ROLE_SYSTEM,
	ROLE_DEVELOPER,
	ROLE_USER,
	ROLE_ASSISTANT,
	ROLE_TOOL,
};

enum origin {
	ORIGIN_NONE, /* not said */
	ORIGIN_USER,
	ORIGIN_ASSISTANT,
	ORIGIN_TOOL_CALL,
	ORIGIN_TOOL_RESULT,
	ORIGIN_SUMMARY,
	ORIGIN_SYSTEM,
	ORIGIN_ERROR,
	ORIGIN_INJECTED,
};

/* The members of metadata that are read, in the order of struct metadata's values. */
enum metadata_name {
	METADATA_ORIGIN,
	METADATA_EXECUTION_ID,
	METADATA_TOOL_NAME,
	METADATA_IS_TRACE,
	METADATA_IS_ERROR,
	METADATA_RESOLVED,
	METADATA_RESOLVES,
	METADATA_PINNED,
	METADATA_COMPACTED,
	METADATA_KIND,
	METADATA_SCOPE,
	METADATA_FACTS,
	METADATA_SECTION,
	METADATA_SESSION_ID,
	METADATA_AGENT_ID,
	METADATA_PARENT_EXECUTION_ID,
	METADATA_TIMESTAMP,
	METADATA_USAGE,
	METADATA_ID,
	METADATA_TOKENS,
	METADATA_TOOL_CALLS, /* the PHP serialization keeps old calls here */
	METADATA_COUNT,
};

/* Where metadata goes in a message that has none: in the place of a null, and beside a value of that
 * name that is something else, under the other one. */
enum metadata_home {
	METADATA_PLAIN,      /* "metadata" */
	METADATA_UNDERSCORE, /* "_metadata" */
	METADATA_NOWHERE,    /* both names are taken */
};

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
	/* An object, under either spelling; absent when neither is one, and then all of meta is. */
	struct json_value metadata;
	struct json_value meta[METADATA_COUNT];
	enum metadata_home home;
	struct json_value home_null; /* there, a null in its place; or absent */
	bool has_metadata; /* a member of either name, whatever its value */
	size_t error_at;   /* RECORD_BAD: byte of the line, from 0 */
	const char *error; /* RECORD_BAD: what is wrong, a phrase */
};

/* Prepares the name tables; call once before message_parse. */
void message_init(void);

/* Reads text (a line without its end, followed by JSON_PADDING readable bytes) into message. */
void message_parse(struct message *message, struct str text);

/* Reads the first line of text, which begins with a value and whose end is not known yet; returns
 * its length, its LF included, or 0 when message_parse has to look at the line itself. */
size_t message_parse_line(struct message *message, struct str text);

/* Parts of metadata. A flag of -1 is "not said". */
enum origin message_origin(const struct message *message);
int message_flag(const struct message *message, enum metadata_name name);
static inline bool
message_is(const struct message *message, enum metadata_name name)
{
	return message_flag(message, name) == 1;
}

/* Whether it is a summary or a trace artifact: isolation or compaction made it. */
bool message_is_artifact(const struct message *message);

/* Whether it has at least one tool call. */
bool message_has_calls(const struct message *message);

/* Whether it says something, but in no member that content is known to stand in, be it here or in its
 * metadata: another format's spelling. A role alone says nothing. */
bool message_is_unknown(const struct message *message);

/* Whether no text, image or other part is in its content, and no refusal beside it (thinking is no
 * content). */
bool message_is_blank(const struct message *message);

/* One tool call, in any of the spellings that are read. */
struct tool_call {
	struct json_value value; /* the call's object */
	struct json_value id;
	struct json_value name;
	struct json_value arguments; /* a string of JSON, or the object itself; may be absent */
};

/* The text of an id: that of a string, a number as it is spelled, "" for all else. Valid as long as
 * the record and scratch are. */
struct str call_id_text(struct json_value id, struct buf *scratch);

/* Walks the calls of a message. */
struct call_walk {
	struct json_walk inner;
};

void call_walk_open(struct call_walk *walk, const struct message *message);
bool call_walk_next(struct call_walk *walk, struct tool_call *call);

/* The spellings of enums in the stream. */
struct str role_name(enum role role);
struct str metadata_name_text(enum metadata_name name);
struct str origin_name(enum origin origin);

#endif
