#include "data/tool/tool_op.h"

static const struct str op_names[] = {
    [TOOL_OTHER] = STR_INIT("other"),
    [TOOL_READ] = STR_INIT("read"),
    [TOOL_WRITE] = STR_INIT("write"),
    [TOOL_EDIT] = STR_INIT("edit"),
    [TOOL_SHELL] = STR_INIT("shell"),
};

struct str
tool_op_name(enum tool_op op)
{
	return op_names[op];
}

enum tool_op
tool_op_of(struct str name)
{
	unsigned op = ARRAY_COUNT(op_names);

	while (--op > TOOL_OTHER && !str_eq(name, op_names[op]))
		continue;
	return (enum tool_op)op;
}
