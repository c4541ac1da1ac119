#ifndef TOOL_OWN_TOOLS_H
#define TOOL_OWN_TOOLS_H

/*
 * Tools that the user told us about, beside the table of data/tool/tools.h and before it. All are
 * added before the first call is classified; the list is read-only afterwards, and lives as long as
 * the program.
 */

#include <stdbool.h>

#include "base/fault.h"
#include "data/tool/tool_op.h"

struct own_tool {
	struct str name; /* compared without regard to case */
	enum tool_op op;
	struct str argument; /* the argument that holds the path or the command */
};

/* Adds the tool that text spells: NAME=read:ARG, and so on with write, edit and shell. A name that
 * is added again has its last meaning. Returns false when text is malformed, with a phrase in
 * message, which was empty. */
bool own_tools_add(struct str text, struct buf *message);

/* Adds the tools that the lines of a file spell; blank lines and lines that begin with # say
 * nothing. Returns false with the fault set when the file cannot be read, as file_read says, and
 * when a line is malformed (status 78). */
bool own_tools_read(const char *path, struct fault *fault);

/* The tool of that name, or NULL. */
const struct own_tool *own_tools_find(struct str name);

#endif
