#ifndef MESSAGE_MESSAGE_NAMES_H
#define MESSAGE_MESSAGE_NAMES_H

/*
 * The words in records that have a meaning for the commands, and their spelling in the stream:
 * roles, origins, and the members of metadata.
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

/* Whether the role is system or developer: the roles of the party that set up the session. */
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

/* The words for a role in LLaMA-Factory, FastChat, Axolotl, Unsloth, ms-swift, LangChain and the
 * datasets of Hermes and glaive. */
struct role_speaker {
	const char *words; /* separated by blanks */
	enum role role;
	bool is_alias; /* these words may also be the role of a chat message */
	bool is_call;  /* the text of such a message is a call */
};

/*
 * The members of metadata that are read; each is an index into message->meta. The last column is
 * the type of the value (metadata_type.c). The last three rows are members in which earlier
 * versions of instructor wrote values that are members of the message now.
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

/* Prepares the tables. Call this once before any function below. */
void message_names_init(void);

/* The spelling of an enum constant in the stream. */
struct str role_name(enum role role);
struct str metadata_name_text(enum metadata_name name);
struct str origin_name(enum origin origin);

/* The constant for a name; ROLE_OTHER or ORIGIN_NONE for an unknown name, and for a value that is
 * no string. */
enum role role_of(struct json_value name);
enum origin origin_of(struct json_value name);

/* The row that has the string as one of its words, or NULL. */
const struct role_speaker *role_speaker_find(struct json_value name);

/* The member of metadata with that name, a string; METADATA_COUNT when no such member is read. */
enum metadata_name metadata_name_of(struct json_value name);

/* Makes a scan by these names note the members of metadata, which has that name. */
void metadata_names_note(struct json_names *names, int name);

/* Sets meta to the members of the object; all are absent when it is no object. */
void metadata_pick(struct json_value object, struct json_value meta[METADATA_COUNT]);

#endif
