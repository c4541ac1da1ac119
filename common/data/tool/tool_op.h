#ifndef TOOL_TOOL_OP_H
#define TOOL_TOOL_OP_H

/* The operation of a tool call. */

#include "base/str.h"

enum tool_op {
	TOOL_OTHER,
	TOOL_READ,
	TOOL_WRITE,
	TOOL_EDIT,
	TOOL_SHELL,
	TOOL_DELETE, /* a patch or a shell command removes a file; no tool does only that */
};

/* The kind of a tool. A later success of a tool of the same kind resolves a failure. All tools that
 * change a file have the same kind. */
static inline enum tool_op
tool_kind(enum tool_op op)
{
	return op == TOOL_WRITE ? TOOL_EDIT : op;
}

/* The name of an operation: "read", "write", "edit", "shell" or "other". */
struct str tool_op_name(enum tool_op op);

/* The operation with that name; TOOL_OTHER for any other name. */
enum tool_op tool_op_of(struct str name);

#endif
