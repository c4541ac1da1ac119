#ifndef MESSAGE_MESSAGE_H
#define MESSAGE_MESSAGE_H

/*
 * A record of the stream, read in place: its kind, and the members that policies read (see
 * ctx-message(5)). All values point into the line; a message owns nothing. Nothing is derived here:
 * values that metadata lacks are derived by data/walk.h and data/session/session.h, which have seen
 * the messages before.
 */

#include "base/buf.h"
#include "base/hash/hash.h"
#include "json/members.h"

enum record_kind {
	RECORD_BLANK,
	RECORD_MESSAGE, /* an object with a string member "role" */
	RECORD_CONTEXT,
	RECORD_BUDGET,
	RECORD_FOREIGN, /* any other JSON value */
	RECORD_BAD,     /* cannot be read */
};

enum role {
	ROLE_OTHER, /* an unknown role: the message passes, and no policy touches it */
	ROLE_SYSTEM,
	ROLE_DEVELOPER,
	ROLE_USER,
	ROLE_ASSISTANT,
	ROLE_TOOL,
};

/* Whether it is one of the two roles of whoever set up the session. */
static inline bool
role_is_system(enum role role)
{
	return role == ROLE_SYSTEM || role == ROLE_DEVELOPER;
}

enum origin {
	ORIGIN_NONE, /* metadata has no origin */
	ORIGIN_USER,
	ORIGIN_ASSISTANT,
	ORIGIN_TOOL_CALL,
	ORIGIN_TOOL_RESULT,
	ORIGIN_SUMMARY,
	ORIGIN_SYSTEM,
	ORIGIN_ERROR,
	ORIGIN_INJECTED,
};

/* The members of metadata that are read; each is an index into message->meta. */
enum metadata_name {
	METADATA_ORIGIN,
	METADATA_EXECUTION_ID,
	METADATA_TOOL_NAME,
	METADATA_IS_TRACE,
	METADATA_IS_ERROR,
	METADATA_RESOLVED,
	METADATA_RESOLVES,
	METADATA_PINNED,
	METADATA_CRITICAL,
	METADATA_COMPACTED,
	METADATA_ARCHIVED,
	METADATA_PASS,
	METADATA_CALL_KEYS,
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
	METADATA_PARENT_ID,
	METADATA_FORGETS,
	METADATA_TOKENS,
	/* Where earlier versions of instructor keep what stands in the message by now. */
	METADATA_TOOL_CALLS,
	METADATA_TOOL_CALL_ID,
	METADATA_TOOL_RESULT,
	METADATA_COUNT,
};

/* The name under which metadata can be added to a message that has none. A name whose value is null
 * or an empty array, which is PHP's empty object, is free: metadata replaces the value. A name with
 * another value is taken: metadata goes under the other name. */
enum metadata_home {
	METADATA_PLAIN,      /* "metadata" */
	METADATA_UNDERSCORE, /* "_metadata" */
	METADATA_NOWHERE,    /* both names are taken */
};

/* One call of a tool, in any of the spellings that are read. */
struct tool_call {
	struct json_value value; /* the object of the call */
	struct json_value id;
	struct json_value name;
	struct json_value arguments; /* a string of JSON, or the object itself; may be absent */
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
	size_t error_at;   /* RECORD_BAD: offset in the line, from 0 */
	const char *error; /* RECORD_BAD: a phrase that says what is wrong */
};

/* Prepares the name tables; call once before message_parse. */
void message_init(void);

/* Reads text, a line without its line end, into message. JSON_PADDING readable bytes must
 * follow. */
void message_parse(struct message *message, struct str text);

/* Reads a text again that message_parse has read, and found neither blank nor bad. What was
 * validated once is not validated again. */
void message_reread(struct message *message, struct str text);

/* The values of a message that may be long: its calls, its content, its reasoning. An edit leaves
 * most of them as they are, so that they need not be read again. */
enum { MESSAGE_LONG = 3 };

/* Sets those in moved that lie in the piece of the message's text, which was copied to to. */
void message_note_moved(const struct message *message, struct str piece, const char *to,
    struct json_value moved[MESSAGE_LONG]);

/* The same as message_reread of a text that was edited; before was read from the text before, and
 * has moved to where moved says, absent where it has been edited. */
void message_reread_moved(struct message *message, struct str text, const struct message *before,
    const struct json_value moved[MESSAGE_LONG]);

/* Reads the first line of text, which begins with a value, in the same pass that finds the end of
 * the line. Returns the length of the line, its LF included; or 0 when the line is not valid or not
 * ended in text: find its end and call message_parse then. */
size_t message_parse_line(struct message *message, struct str text);

/* Members of metadata. A flag is 1 for true, 0 for false, and -1 when metadata does not have it. */
enum origin message_origin(const struct message *message);
int message_flag(const struct message *message, enum metadata_name name);
static inline bool
message_is(const struct message *message, enum metadata_name name)
{
	return message_flag(message, name) == 1;
}

/* The section that the message says, or messages: a part of its text or of scratch. */
struct str message_section(const struct message *message, struct buf *scratch);

/* Whether the message is an artifact of isolation or compaction: its kind is summary or trace. */
bool message_is_artifact(const struct message *message);

/* Whether the message is the user's words: of role user, no artifact, and of no other origin. */
bool message_is_request(const struct message *message);

/* Whether the message has at least one call. */
bool message_has_calls(const struct message *message);

/* Whether content is known to stand in the member of that name, be it of a message or of its
 * metadata. */
bool message_name_holds_content(struct json_value name);

/* Whether there is a content of more than null, "" or []. */
static inline bool
message_has_text(const struct message *message)
{
	return message->content.len > sizeof "null" - 1;
}

/* Whether it says something, but in no member that content is known to stand in, be it here or in
 * its metadata: another format's spelling. A role alone says nothing. */
bool message_is_unknown(const struct message *message);

/* Whether the content has no text, image or other part, and there is no refusal beside it. Thinking
 * does not count as content. */
bool message_is_blank(const struct message *message);

/* The text of an id: the text of a string, a number as it is spelled, "" for any other value. Valid
 * as long as the record and the content of scratch. */
struct str call_id_text(struct json_value id, struct buf *scratch);

/* The key of that text in a map of ids. Where a map has the ids of several agents, agent is the
 * number of one; else 0. */
struct hash call_id_key(struct str id, uint32_t agent);

/* The key of the id in a map of one agent's: that of its text, with agent 0. */
struct hash call_id_hash(struct json_value id);

/* Makes the message, which has no calls, one of the assistant that has this one. */
void message_set_call(struct message *message, const struct tool_call *call);

/* Walks the calls of a message, which must stay where it is meanwhile. */
struct call_walk {
	const struct tool_call *noted; /* the next one, of left */
	uint32_t left;
	struct json_walk inner;
};

void call_walk_open(struct call_walk *walk, const struct message *message);
bool call_walk_next(struct call_walk *walk, struct tool_call *call);

/* The names of enum constants in the stream. */
struct str role_name(enum role role);
struct str metadata_name_text(enum metadata_name name);
struct str origin_name(enum origin origin);

#endif
