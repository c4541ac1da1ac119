#ifndef TOOL_TOOL_OP_H
#define TOOL_TOOL_OP_H

/* What the call of a tool does. */

#include "base/str.h"

enum tool_op {
	TOOL_OTHER,
	TOOL_READ,
	TOOL_WRITE,
	TOOL_EDIT,
	TOOL_SHELL,
	TOOL_DELETE, /* of a file, by a patch or a shell command; no tool does only that */
};

/* The kind of tools that make each other's failures good: all that change a file are of one. */
static inline enum tool_op
tool_kind(enum tool_op op)
{
	return op == TOOL_WRITE ? TOOL_EDIT : op;
}

/* The name of an operation: "read", "write", "edit", "shell" or "other". */
struct str tool_op_name(enum tool_op op);

/* The operation of that name; TOOL_OTHER when it is no name of one. */
enum tool_op tool_op_of(struct str name);

#endif
