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
	METADATA_MODEL,
	/* Where earlier versions of instructor keep what stands in the message by now. */
	METADATA_TOOL_CALLS,
	METADATA_TOOL_CALL_ID,
	METADATA_TOOL_RESULT,
	METADATA_COUNT,
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
