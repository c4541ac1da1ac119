#ifndef TOOL_OWN_TOOLS_H
#define TOOL_OWN_TOOLS_H

/*
 * Tools that the user described by options. They are looked up before the table of
 * data/tool/tools.h. All of them are added before the first call is classified. The list is
 * read-only after that, and lives as long as the program.
 */

#include <stdbool.h>

#include "base/fault.h"
#include "data/tool/tool_op.h"

struct own_tool {
	struct str name; /* compared without regard to case */
	enum tool_op op;
	struct str argument; /* the argument that holds the path or the command */
};

/* Adds the tool that text describes: NAME=read:ARG, or write, edit or shell instead of read. When a
 * name is added again, the last description counts. Returns false when text is malformed, with a
 * phrase in message, which must be empty before. */
bool own_tools_add(struct str text, struct buf *message);

/* Adds the tools that the lines of a file describe; blank lines and lines that begin with # are
 * ignored. Returns false with the fault set when the file cannot be read (as for file_read), and
 * when a line is malformed (status 78). */
bool own_tools_read(const char *path, struct fault *fault);

/* The tool with that name, or NULL. */
const struct own_tool *own_tools_find(struct str name);

#endif
