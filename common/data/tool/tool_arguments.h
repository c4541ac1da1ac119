#ifndef TOOL_TOOL_ARGUMENTS_H
#define TOOL_TOOL_ARGUMENTS_H

/*
 * The arguments in which known clients give the file of a call, its command, the directory in which
 * the command runs, and the lines of a read.
 */

#include "base/arena.h"
#include "data/message/message.h"

#define TOOL_LAST_LINE INT64_MAX

/* Indexes into the members of struct tool_arguments. */
enum tool_argument {
	ARGUMENT_PATH,
	ARGUMENT_FILE_PATH,
	ARGUMENT_FILE_PATH_CAMEL,
	ARGUMENT_ABSOLUTE_PATH,
	ARGUMENT_FILENAME,
	ARGUMENT_NOTEBOOK_PATH,
	ARGUMENT_COMMAND,
	ARGUMENT_CMD,
	ARGUMENT_COMMAND_LINE,
	ARGUMENT_INPUT,
	ARGUMENT_PATCH,
	ARGUMENT_PATCH_TEXT,
	/* The directory in which a shell runs its command. */
	ARGUMENT_WORKDIR,
	ARGUMENT_CWD,
	ARGUMENT_DIRECTORY,
	/* The lines of a read. */
	ARGUMENT_OFFSET,
	ARGUMENT_LIMIT,
	ARGUMENT_START_LINE,
	ARGUMENT_END_LINE,
	ARGUMENT_START_LINE_CAMEL,
	ARGUMENT_END_LINE_CAMEL,
	ARGUMENT_START_LINE_PASCAL,
	ARGUMENT_END_LINE_PASCAL,
	ARGUMENT_START_LINE_INDEXED,
	ARGUMENT_END_LINE_INDEXED,
	ARGUMENT_LINE_START,
	ARGUMENT_LINE_END,
	ARGUMENT_VIEW_RANGE,
	ARGUMENT_READ_RANGE,
	ARGUMENT_LINE_RANGE,
	ARGUMENT_NONE,
};

enum { TOOL_ARGUMENTS = ARGUMENT_NONE };

struct tool_arguments {
	struct json_value given;                  /* the arguments as in the call */
	struct json_value value;                  /* the object of arguments; or absent */
	struct json_value member[TOOL_ARGUMENTS]; /* the members that tool_classify reads */
};

/* Reads the arguments of a call. When they are a string that holds an object, the string is decoded
 * into arena. */
void tool_arguments(struct json_value given, struct arena *arena, struct tool_arguments *arguments);

/* Sets the first and the last line of a read, from 1. *last is TOOL_LAST_LINE for a read to the end
 * of the file. */
void tool_arguments_lines(const struct tool_arguments *arguments, int64_t *first, int64_t *last);

/* Whether the argument with that name gives the lines of a read. */
bool tool_arguments_are_lines(struct json_value name);

#endif
