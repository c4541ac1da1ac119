#ifndef TOOL_TOOL_ARGUMENT_H
#define TOOL_TOOL_ARGUMENT_H

/*
 * The arguments by which known clients tell the file of a call, its command, and the lines of a
 * read.
 */

#include "data/tool/tools.h"

/* Indexes into the members of struct tool_arguments. */
enum argument {
	PATH,
	FILE_PATH,
	FILE_PATH_CAMEL,
	ABSOLUTE_PATH,
	NOTEBOOK_PATH,
	COMMAND,
	CMD,
	COMMAND_LINE,
	INPUT,
	PATCH,
	PATCH_TEXT,
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

/* Sets the lines of a read: all of the file where the arguments do not tell them. */
void tool_argument_lines(const struct tool_arguments *arguments, struct tool_use *use);

/* Whether the argument of that name tells lines of a read. */
bool tool_argument_is_of_lines(struct json_value name);

#endif
