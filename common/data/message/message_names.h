#ifndef MESSAGE_MESSAGE_NAMES_H
#define MESSAGE_MESSAGE_NAMES_H

/*
 * The words of a record that are acted on, and their spelling in the stream: roles, origins, and
 * the members of metadata.
 */

#include "json/members.h"

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

/*
 * The members of metadata that are read; each is an index into message->meta. The last column is
 * its type, of metadata_type.c. The last three are where earlier versions of instructor keep what
 * stands in the message by now.
 */
/* clang-format off */
#define METADATA_TABLE(row) \
	row(ORIGIN, "origin", ORIGIN) row(EXECUTION_ID, "execution_id", STRING) \
	row(TOOL_NAME, "tool_name", STRING) row(IS_TRACE, "is_trace", FLAG) \
	row(IS_ERROR, "is_error", FLAG) row(RESOLVED, "resolved", RESOLVED) \
	row(RESOLVES, "resolves", IDS) row(PINNED, "pinned", FLAG) \
	row(CRITICAL, "critical", FLAG) row(COMPACTED, "compacted", FLAG) \
	row(ARCHIVED, "archived", STRING) row(PASS, "pass", STRING) \
	row(CALL_KEYS, "call_keys", STRINGS) row(KIND, "kind", STRING) \
	row(SCOPE, "scope", STRING) row(FACTS, "facts", OBJECT) \
	row(SECTION, "section", STRING) row(SESSION_ID, "session_id", STRING) \
	row(AGENT_ID, "agent_id", STRING) \
	row(PARENT_EXECUTION_ID, "parent_execution_id", STRING) \
	row(TIMESTAMP, "timestamp", TIME) row(USAGE, "usage", OBJECT) row(ID, "id", STRING) \
	row(PARENT_ID, "parent_id", PARENT) row(FORGETS, "forgets", IDS) \
	row(TOKENS, "tokens", NUMBER) row(MODEL, "model", ANY) row(SOURCE, "source", ANY) \
	row(TOOL_CALLS, "tool_calls", CALLS) row(TOOL_CALL_ID, "tool_call_id", STRING) \
	row(TOOL_RESULT, "tool_result", OBJECT)
/* clang-format on */

enum metadata_name {
#define METADATA_INDEX(index, name, type) METADATA_##index,
	METADATA_TABLE(METADATA_INDEX) METADATA_COUNT,
#undef METADATA_INDEX
};

/* Prepares the tables; call once before what is below. */
void message_names_init(void);

/* The names of enum constants in the stream. */
struct str role_name(enum role role);
struct str metadata_name_text(enum metadata_name name);
struct str origin_name(enum origin origin);

/* The constant of a name, a string; that of none for any other value. */
enum role role_of(struct json_value name);
enum origin origin_of(struct json_value name);

/* Sets meta to the members of the object; all are absent when it is no object. */
void metadata_pick(struct json_value object, struct json_value meta[METADATA_COUNT]);

#endif
