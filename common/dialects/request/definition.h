#ifndef REQUEST_DEFINITION_H
#define REQUEST_DEFINITION_H

/*
 * Definitions of tools, formats of an answer, and choices of tools, in every spelling that is read:
 * of the chat API and the Responses API of OpenAI, of Anthropic, of Gemini, of MCP, and of agents
 * that write them flat. The values lie in the JSON that was read.
 */

#include "base/arena.h"
#include "json/members.h"

enum definition_kind {
	DEFINITION_FUNCTION, /* called with an object */
	DEFINITION_CUSTOM,   /* called with a text */
	DEFINITION_SERVER,   /* run by the provider; only the provider knows its type */
};

struct definition_tool {
	enum definition_kind kind;
	struct json_value value; /* all of it */
	struct json_value name;
	struct json_value description;
	struct json_value schema; /* of the arguments: an object, or absent */
	struct json_value strict;
	struct json_value format; /* of a custom tool's text; or absent */
	struct json_value cache_control;
};

/* Returns false when the value defines no tool. */
bool definition_read_tool(struct json_value value, struct definition_tool *tool);

/* The array of tools in value: value itself, or the JSON in a string; absent when there is none.
 * Gemini's functionDeclarations, many in one tool, become elements of the array. arena owns decoded
 * and made values. */
struct json_value definition_tools(struct json_value value, struct arena *arena);

struct definition_format {
	struct json_value type;   /* "text" or "json_object"; absent: the format is the schema */
	struct json_value schema; /* an object, or absent */
	struct json_value name;
	struct json_value description;
	struct json_value strict;
};

/* Returns false when the value is no format of an answer. */
bool definition_read_format(struct json_value value, struct definition_format *format);

enum definition_choice_kind {
	DEFINITION_CHOICE_ABSENT,
	DEFINITION_CHOICE_AUTO,
	DEFINITION_CHOICE_NONE,
	DEFINITION_CHOICE_ANY,  /* a tool must be called */
	DEFINITION_CHOICE_TOOL, /* that tool must be called */
	DEFINITION_CHOICE_SOME, /* OpenAI: some of the tools are allowed */
};

/* Which tools the answer may call. */
struct definition_choice {
	enum definition_choice_kind kind;
	struct json_value value; /* all of it */
	struct json_value name;  /* of a tool */
	bool is_custom;          /* the tool is known to be a custom one */
	bool is_serial;          /* one call at a time */
};

/* Returns false when the value is no choice of tools; null is an absent one. */
bool definition_read_choice(struct json_value value, struct definition_choice *choice);

#endif
