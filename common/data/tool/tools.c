#include "data/tool/tools.h"

#include <strings.h>

#include "base/text/file_path.h"
#include "data/tool/own_tools.h"
#include "json/string.h"

/*
 * Names of tools, from the sources of their agents: Claude Code, Codex CLI, Gemini CLI, opencode,
 * pi, Cline, OpenHands and SWE-agent. The path or the command is in the first of the listed
 * arguments that the call has.
 */
static const struct tool {
	struct str name;
	enum tool_op op;
	enum tool_argument argument[4]; /* ARGUMENT_PATH after three */
} tools[] = {
    {STR_INIT("read"), TOOL_READ, {ARGUMENT_FILE_PATH, ARGUMENT_FILE_PATH_CAMEL, ARGUMENT_PATH}},
    {STR_INIT("read_file"), TOOL_READ,
	{ARGUMENT_ABSOLUTE_PATH, ARGUMENT_FILE_PATH, ARGUMENT_FILE_PATH_CAMEL}},
    {STR_INIT("view"), TOOL_READ, {ARGUMENT_FILE_PATH, ARGUMENT_PATH, ARGUMENT_NONE}},
    {STR_INIT("cat"), TOOL_READ, {ARGUMENT_PATH, ARGUMENT_FILE_PATH, ARGUMENT_NONE}},
    {STR_INIT("notebookread"), TOOL_READ, {ARGUMENT_NOTEBOOK_PATH, ARGUMENT_NONE, ARGUMENT_NONE}},
    {STR_INIT("write"), TOOL_WRITE, {ARGUMENT_FILE_PATH, ARGUMENT_FILE_PATH_CAMEL, ARGUMENT_PATH}},
    {STR_INIT("write_file"), TOOL_WRITE,
	{ARGUMENT_FILE_PATH, ARGUMENT_ABSOLUTE_PATH, ARGUMENT_PATH}},
    {STR_INIT("write_to_file"), TOOL_WRITE, {ARGUMENT_PATH, ARGUMENT_NONE, ARGUMENT_NONE}},
    {STR_INIT("create_file"), TOOL_WRITE,
	{ARGUMENT_PATH, ARGUMENT_FILE_PATH, ARGUMENT_FILE_PATH_CAMEL}},
    {STR_INIT("create"), TOOL_WRITE, {ARGUMENT_FILENAME, ARGUMENT_NONE, ARGUMENT_NONE}},
    {STR_INIT("edit"), TOOL_EDIT, {ARGUMENT_FILE_PATH, ARGUMENT_FILE_PATH_CAMEL, ARGUMENT_PATH}},
    {STR_INIT("edit_file"), TOOL_EDIT, {ARGUMENT_PATH, ARGUMENT_FILE_PATH, ARGUMENT_NONE}},
    {STR_INIT("multiedit"), TOOL_EDIT, {ARGUMENT_FILE_PATH, ARGUMENT_NONE, ARGUMENT_NONE}},
    {STR_INIT("notebookedit"), TOOL_EDIT, {ARGUMENT_NOTEBOOK_PATH, ARGUMENT_NONE, ARGUMENT_NONE}},
    {STR_INIT("replace"), TOOL_EDIT, {ARGUMENT_FILE_PATH, ARGUMENT_ABSOLUTE_PATH, ARGUMENT_NONE}},
    {STR_INIT("replace_in_file"), TOOL_EDIT, {ARGUMENT_PATH, ARGUMENT_NONE, ARGUMENT_NONE}},
    {STR_INIT("insert_content"), TOOL_EDIT, {ARGUMENT_PATH, ARGUMENT_NONE, ARGUMENT_NONE}},
    {STR_INIT("bash"), TOOL_SHELL, {ARGUMENT_COMMAND, ARGUMENT_CMD, ARGUMENT_NONE}},
    {STR_INIT("shell"), TOOL_SHELL, {ARGUMENT_COMMAND, ARGUMENT_CMD, ARGUMENT_NONE}},
    {STR_INIT("shell_command"), TOOL_SHELL, {ARGUMENT_COMMAND, ARGUMENT_NONE, ARGUMENT_NONE}},
    {STR_INIT("local_shell"), TOOL_SHELL, {ARGUMENT_COMMAND, ARGUMENT_NONE, ARGUMENT_NONE}},
    {STR_INIT("exec_command"), TOOL_SHELL, {ARGUMENT_CMD, ARGUMENT_COMMAND, ARGUMENT_NONE}},
    {STR_INIT("run_shell_command"), TOOL_SHELL, {ARGUMENT_COMMAND, ARGUMENT_NONE, ARGUMENT_NONE}},
    {STR_INIT("execute_command"), TOOL_SHELL, {ARGUMENT_COMMAND, ARGUMENT_NONE, ARGUMENT_NONE}},
    {STR_INIT("execute_bash"), TOOL_SHELL, {ARGUMENT_COMMAND, ARGUMENT_NONE, ARGUMENT_NONE}},
    {STR_INIT("run_command"), TOOL_SHELL, {ARGUMENT_COMMAND, ARGUMENT_COMMAND_LINE, ARGUMENT_NONE}},
    {STR_INIT("terminal"), TOOL_SHELL, {ARGUMENT_COMMAND, ARGUMENT_NONE, ARGUMENT_NONE}},
};

static struct str
decode(struct json_value string, struct arena *arena)
{
	struct buf buf = BUF_INIT;
	struct str text;

	if (!string.escaped)
		return json_inner(string);
	text = arena_copy(arena, json_text(string, &buf));
	buf_free(&buf);
	return text;
}

/* The command of an argument vector that runs a shell: [*sh, -c or -lc, COMMAND]; or absent. */
static struct json_value
shell_argument(struct json_value value)
{
	struct json_value word[3];
	struct str shell;
	unsigned count = 0;

	for (struct json_walk walk = json_walk_of(value); json_walk_next(&walk); count++) {
		if (count == 3 || walk.value.type != JSON_STRING)
			return json_absent;
		word[count] = walk.value;
	}
	if (count < 3 || !(json_is(word[1], STR("-c")) || json_is(word[1], STR("-lc"))))
		return json_absent;
	shell = json_inner(word[0]);
	return shell.len >= 2 && memcmp(shell.ptr + shell.len - 2, "sh", 2) == 0 ? word[2] :
										   json_absent;
}

/* A shell command may be an argument vector: the command of a shell in it, or its words joined by
 * blanks, serve as its text. */
static struct str
command_text(struct json_value value, struct arena *arena)
{
	struct buf joined = BUF_INIT;
	struct str text;

	if (value.type != JSON_STRING && shell_argument(value).type == JSON_STRING)
		value = shell_argument(value);
	if (value.type == JSON_STRING)
		return str_trim(decode(value, arena));
	for (struct json_walk walk = json_walk_of(value); json_walk_next(&walk);) {
		if (walk.value.type != JSON_STRING)
			continue;
		if (joined.len > 0)
			buf_add_char(&joined, ' ');
		json_decode(walk.value, &joined);
	}
	text = arena_copy(arena, buf_str(&joined));
	buf_free(&joined);
	return text;
}

static const struct tool *
find_tool(struct str name)
{
	for (size_t i = 0; i < ARRAY_COUNT(tools); i++)
		if (tools[i].name.len == name.len &&
		    strncasecmp(tools[i].name.ptr, name.ptr, name.len) == 0)
			return &tools[i];
	return NULL;
}

/* The first that there is of up to four arguments; absent when there is none. */
static struct json_value
first_of(const enum tool_argument *wanted, const struct tool_arguments *arguments)
{
	struct json_value value = {NULL, 0, JSON_ABSENT, 0};

	for (unsigned i = 0; i < 4 && wanted[i] != ARGUMENT_NONE; i++) {
		value = arguments->member[wanted[i]];
		if (value.type != JSON_ABSENT)
			break;
	}
	return value;
}

/* OpenHands and SWE-agent have four operations under one name. */
static bool
is_editor(struct str name)
{
	return str_eq(name, STR("str_replace_editor")) || str_eq(name, STR("file_editor")) ||
	    str_eq(name, STR("str_replace_based_edit_tool"));
}

static bool
classify_editor(struct str name, const struct tool_arguments *arguments, struct arena *arena,
    struct tool_use *use)
{
	struct json_value path = arguments->member[ARGUMENT_PATH],
			  command = arguments->member[ARGUMENT_COMMAND];

	if (!is_editor(name))
		return false;
	if (path.type != JSON_STRING)
		return true;
	use->target = file_path_normalize(decode(path, arena), arena);
	if (json_is(command, STR("view")))
		use->op = TOOL_READ;
	else
		use->op = json_is(command, STR("create")) ? TOOL_WRITE : TOOL_EDIT;
	if (use->op == TOOL_READ)
		tool_arguments_lines(arguments, &use->first_line, &use->last_line);
	return true;
}

/* The text of a patch: an argument, a command that holds it, or arguments that are no JSON. */
static struct str
patch_text(const struct tool_arguments *arguments, struct arena *arena)
{
	static const enum tool_argument patch[] = {
	    ARGUMENT_INPUT, ARGUMENT_PATCH, ARGUMENT_PATCH_TEXT, ARGUMENT_NONE};
	static const enum tool_argument command[] = {ARGUMENT_COMMAND, ARGUMENT_CMD, ARGUMENT_NONE};
	struct json_value value = arguments->given;

	if (arguments->value.type == JSON_OBJECT)
		value = first_of(patch, arguments);
	if (value.type == JSON_ABSENT)
		value = first_of(command, arguments);
	return command_text(value, arena);
}

/* The tool apply_patch edits the file of its patch; a patch of several files is shown like the
 * command, by the lines that name them. */
static bool
classify_patch(struct str name, const struct tool_arguments *arguments, struct arena *arena,
    struct tool_use *use)
{
	struct buf lines = BUF_INIT;
	struct str text, path;
	unsigned count = 0;

	if (!tool_is_patch(name))
		return false;
	text = patch_text(arguments, arena);
	for (; tool_patch_next(&text, &path, NULL); count++) {
		buf_add_str(
		    &lines, count > 0 ? STR("\n*** Update File: ") : STR("*** Update File: "));
		buf_add_str(&lines, path);
		use->target = path;
	}
	use->op = count == 0 ? TOOL_OTHER : count == 1 ? TOOL_EDIT : TOOL_SHELL;
	if (count == 1)
		use->target = file_path_normalize(use->target, arena);
	else if (count > 1)
		use->target = arena_copy(arena, buf_str(&lines));
	buf_free(&lines);
	return true;
}

/* Whether the call has arguments beside the one of that name and those for lines. */
static bool
has_others(const struct tool_arguments *arguments, struct str argument)
{
	for (struct json_walk walk = json_walk_of(arguments->value); json_walk_next(&walk);)
		if (!json_is(walk.name, argument) && !tool_arguments_are_lines(walk.name))
			return true;
	return false;
}

/* Sets the use of a tool whose path or command is value. */
static void
set_use(enum tool_op op, struct json_value value, const struct tool_arguments *arguments,
    struct arena *arena, struct tool_use *use)
{
	static const enum tool_argument places[] = {
	    ARGUMENT_WORKDIR, ARGUMENT_CWD, ARGUMENT_DIRECTORY, ARGUMENT_NONE};
	struct json_value place = first_of(places, arguments);

	if (op == TOOL_SHELL)
		use->target = command_text(value, arena);
	else if (value.type == JSON_STRING)
		use->target = file_path_normalize(decode(value, arena), arena);
	if (op == TOOL_SHELL && place.type == JSON_STRING)
		use->directory = file_path_normalize(decode(place, arena), arena);
	if (use->target.len == 0)
		return;
	use->op = op;
	if (op == TOOL_READ)
		tool_arguments_lines(arguments, &use->first_line, &use->last_line);
}

bool
tool_is_known(struct str name)
{
	return own_tools_find(name) != NULL || find_tool(name) != NULL || tool_is_patch(name) ||
	    is_editor(name);
}

bool
tool_is_of_kind(struct str name, enum tool_op kind)
{
	const struct own_tool *own = own_tools_find(name);
	const struct tool *tool = find_tool(name);

	if (own != NULL)
		return tool_kind(own->op) == kind;
	if (tool != NULL)
		return tool_kind(tool->op) == kind;
	return kind == TOOL_EDIT && tool_is_patch(name);
}

void
tool_classify(struct str name, const struct tool_arguments *arguments, struct arena *arena,
    struct tool_use *use)
{
	const struct own_tool *own = own_tools_find(name);
	const struct tool *tool;

	*use = (struct tool_use){.op = TOOL_OTHER, .target = STR(""), .directory = STR("")};
	if (own != NULL) {
		set_use(own->op, json_find(arguments->value, own->argument), arguments, arena, use);
		use->is_part = use->op == TOOL_READ && has_others(arguments, own->argument);
		return;
	}
	if (classify_patch(name, arguments, arena, use) || arguments->value.type != JSON_OBJECT ||
	    classify_editor(name, arguments, arena, use))
		return;
	tool = find_tool(name);
	if (tool != NULL)
		set_use(tool->op, first_of(tool->argument, arguments), arguments, arena, use);
}

void
tool_files(enum tool_op op, struct str target, struct arena *arena,
    void (*found)(void *context, enum tool_op kind, struct str path), void *context)
{
	if (op == TOOL_SHELL)
		tool_shell_files(target, arena, found, context);
	else if (op != TOOL_OTHER)
		found(context, tool_kind(op), target);
}
