#include "data/tool/own_tools.h"

#include <strings.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/list.h"
#include "base/text/utf8.h"

enum { FILE_MAX = 1 << 20 }; /* a longer file is no list of tools */

static struct {
	struct own_tool *tool;
	size_t count, cap;
	struct arena arena; /* names and arguments */
} own;

/* Splits text at its first c. Returns false when there is none. */
static bool
split(struct str text, char c, struct str *before, struct str *behind)
{
	const char *at = text.len > 0 ? memchr(text.ptr, c, text.len) : NULL;

	if (at == NULL)
		return false;
	*before = str_of(text.ptr, (size_t)(at - text.ptr));
	*behind = str_of(at + 1, text.len - before->len - 1);
	return true;
}

static bool
read_tool(struct str text, struct own_tool *tool)
{
	struct str use, op;

	if (!split(text, '=', &tool->name, &use) || !split(use, ':', &op, &tool->argument))
		return false;
	tool->op = tool_op_of(op);
	return tool->op != TOOL_OTHER && tool->name.len > 0 && tool->argument.len > 0 &&
	    utf8_valid(text) == text.len;
}

static struct own_tool *
find(struct str name)
{
	for (size_t i = 0; i < own.count; i++)
		if (own.tool[i].name.len == name.len &&
		    strncasecmp(own.tool[i].name.ptr, name.ptr, name.len) == 0)
			return &own.tool[i];
	return NULL;
}

const struct own_tool *
own_tools_find(struct str name)
{
	return find(name);
}

/* Adds the tool, or gives the tool of that name its last meaning. */
static void
set_tool(const struct own_tool *tool)
{
	struct own_tool *known = find(tool->name);

	if (known == NULL) {
		LIST_ROOM(own.tool, own.count, own.cap);
		known = &own.tool[own.count++];
		*known = (struct own_tool){.name = arena_copy(&own.arena, tool->name)};
	}
	known->op = tool->op;
	if (!str_eq(known->argument, tool->argument))
		known->argument = arena_copy(&own.arena, tool->argument);
}

bool
own_tools_add(struct str text, struct buf *message)
{
	struct own_tool tool;

	if (!read_tool(text, &tool)) {
		buf_add_str(message,
		    STR("expected NAME=read:ARG, or write, edit or shell instead of read"));
		return false;
	}
	set_tool(&tool);
	return true;
}

bool
own_tools_read(const char *path, struct fault *fault)
{
	struct buf file = BUF_INIT, message = BUF_INIT;
	struct str text, line, rest;
	size_t number = 0;

	if (!file_read(path, FILE_MAX, &file, fault)) {
		buf_free(&file);
		return false;
	}
	for (text = buf_str(&file); text.len > 0; text = rest) {
		number++;
		if (!split(text, '\n', &line, &rest)) {
			line = text;
			rest.len = 0;
		}
		line = str_trim(line);
		if (line.len > 0 && line.ptr[0] != '#' && !own_tools_add(line, &message))
			break;
	}
	if (text.len > 0)
		fault_set(fault, STATUS_CONFIG, "'%s', line %zu: %.*s", path, number,
		    STR_ARG(buf_str(&message)));
	buf_free(&message);
	buf_free(&file);
	return text.len == 0;
}
