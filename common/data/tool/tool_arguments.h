#ifndef TOOL_TOOL_ARGUMENTS_H
#define TOOL_TOOL_ARGUMENTS_H

/*
 * The arguments by which known clients tell the file of a call, its command and where that runs,
 * and the lines of a read.
 */

#include "base/arena.h"
#include "data/message/message.h"

#define TOOL_LAST_LINE INT64_MAX

/* Indexes into the members of struct tool_arguments. */
enum tool_argument {
	PATH,
	FILE_PATH,
	FILE_PATH_CAMEL,
	ABSOLUTE_PATH,
	FILENAME,
	NOTEBOOK_PATH,
	COMMAND,
	CMD,
	COMMAND_LINE,
	INPUT,
	PATCH,
	PATCH_TEXT,
	/* Where a shell runs its command. */
	WORKDIR,
	CWD,
	DIRECTORY,
	/* What tells lines of a read. */
	OFFSET,
	LIMIT,
	START_LINE,
	END_LINE,
	START_LINE_CAMEL,
	END_LINE_CAMEL,
	START_LINE_PASCAL,
	END_LINE_PASCAL,
	START_LINE_INDEXED,
	END_LINE_INDEXED,
	LINE_START,
	LINE_END,
	VIEW_RANGE,
	READ_RANGE,
	LINE_RANGE,
	NO_ARGUMENT,
};

enum { TOOL_ARGUMENTS = NO_ARGUMENT };

struct tool_arguments {
	struct json_value given;                  /* as they stand in the call */
	struct json_value value;                  /* the object; absent when they hold none */
	struct json_value member[TOOL_ARGUMENTS]; /* those that tool_classify reads */
};

/* Reads the arguments of a call. When they are a string that holds an object, the string is decoded
 * into arena. */
void tool_arguments(struct json_value given, struct arena *arena, struct tool_arguments *arguments);

/* Sets which lines a read shows, from 1: to TOOL_LAST_LINE where it goes to the end. */
void tool_arguments_lines(const struct tool_arguments *arguments, int64_t *first, int64_t *last);

/* Whether the argument of that name tells lines of a read. */
bool tool_arguments_are_lines(struct json_value name);

#endif
