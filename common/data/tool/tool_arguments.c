#include "data/tool/tool_arguments.h"

#include "json/nested.h"
#include "json/scan.h"
#include "json/string.h"

static const struct str argument_list[TOOL_ARGUMENTS] = {
    [ARGUMENT_PATH] = STR_INIT("path"),
    [ARGUMENT_FILE_PATH] = STR_INIT("file_path"),
    [ARGUMENT_FILE_PATH_CAMEL] = STR_INIT("filePath"),
    [ARGUMENT_ABSOLUTE_PATH] = STR_INIT("absolute_path"),
    [ARGUMENT_FILENAME] = STR_INIT("filename"),
    [ARGUMENT_NOTEBOOK_PATH] = STR_INIT("notebook_path"),
    [ARGUMENT_COMMAND] = STR_INIT("command"),
    [ARGUMENT_CMD] = STR_INIT("cmd"),
    [ARGUMENT_COMMAND_LINE] = STR_INIT("CommandLine"),
    [ARGUMENT_INPUT] = STR_INIT("input"),
    [ARGUMENT_PATCH] = STR_INIT("patch"),
    [ARGUMENT_PATCH_TEXT] = STR_INIT("patchText"),
    [ARGUMENT_WORKDIR] = STR_INIT("workdir"),
    [ARGUMENT_CWD] = STR_INIT("cwd"),
    [ARGUMENT_DIRECTORY] = STR_INIT("directory"),
    [ARGUMENT_OFFSET] = STR_INIT("offset"),
    [ARGUMENT_LIMIT] = STR_INIT("limit"),
    [ARGUMENT_START_LINE] = STR_INIT("start_line"),
    [ARGUMENT_END_LINE] = STR_INIT("end_line"),
    [ARGUMENT_START_LINE_CAMEL] = STR_INIT("startLine"),
    [ARGUMENT_END_LINE_CAMEL] = STR_INIT("endLine"),
    [ARGUMENT_START_LINE_PASCAL] = STR_INIT("StartLine"),
    [ARGUMENT_END_LINE_PASCAL] = STR_INIT("EndLine"),
    [ARGUMENT_START_LINE_INDEXED] = STR_INIT("start_line_one_indexed"),
    [ARGUMENT_END_LINE_INDEXED] = STR_INIT("end_line_one_indexed_inclusive"),
    [ARGUMENT_LINE_START] = STR_INIT("line_start"),
    [ARGUMENT_LINE_END] = STR_INIT("line_end"),
    [ARGUMENT_VIEW_RANGE] = STR_INIT("view_range"),
    [ARGUMENT_READ_RANGE] = STR_INIT("read_range"),
    [ARGUMENT_LINE_RANGE] = STR_INIT("line_range"),
};

/* Prepared by the first call of tool_arguments, read-only afterwards. */
static struct json_names argument_names;

void
tool_arguments(struct json_value given, struct arena *arena, struct tool_arguments *arguments)
{
	struct json_nested nested;
	struct json_scan scan;

	if (argument_names.list == NULL)
		JSON_NAMES_INIT(&argument_names, argument_list, TOOL_ARGUMENTS);
	arguments->given = arguments->value = given;
	if (given.type == JSON_STRING) {
		json_nested_scan(&nested, given, &argument_names, &scan, arena);
		arguments->value = nested.value;
		memcpy(arguments->member, scan.member, sizeof arguments->member);
	} else {
		json_pick(given, &argument_names, arguments->member);
	}
	if (arguments->value.type == JSON_OBJECT)
		return;
	arguments->value.type = JSON_ABSENT;
	memset(arguments->member, 0, sizeof arguments->member);
}

/* The arguments of known clients for the lines of a read, all counted from 1. */
static const struct {
	enum tool_argument first, last; /* equal: one array has both */
	bool is_count;                  /* the last one is how many lines */
} line_arguments[] = {
    {ARGUMENT_OFFSET, ARGUMENT_LIMIT, true},
    {ARGUMENT_START_LINE, ARGUMENT_END_LINE, false},
    {ARGUMENT_START_LINE_CAMEL, ARGUMENT_END_LINE_CAMEL, false},
    {ARGUMENT_START_LINE_PASCAL, ARGUMENT_END_LINE_PASCAL, false},
    {ARGUMENT_START_LINE_INDEXED, ARGUMENT_END_LINE_INDEXED, false},
    {ARGUMENT_LINE_START, ARGUMENT_LINE_END, false},
    {ARGUMENT_VIEW_RANGE, ARGUMENT_VIEW_RANGE, false},
    {ARGUMENT_READ_RANGE, ARGUMENT_READ_RANGE, false},
    {ARGUMENT_LINE_RANGE, ARGUMENT_LINE_RANGE, false},
};

void
tool_arguments_lines(const struct tool_arguments *arguments, int64_t *first, int64_t *last)
{
	*first = 1;
	*last = TOOL_LAST_LINE;
	for (size_t i = 0; i < ARRAY_COUNT(line_arguments); i++) {
		struct json_value from = arguments->member[line_arguments[i].first];
		struct json_value to = arguments->member[line_arguments[i].last];
		struct json_walk range = json_walk_list(from);
		int64_t start, end;

		from = json_walk_next(&range) ? range.value : from;
		to = json_walk_next(&range) ? range.value : to;
		start = json_integer(from, 1);
		end = json_integer(to, 0);
		*first = start > 1 ? start : *first;
		if (line_arguments[i].is_count && end > 0)
			end = end < TOOL_LAST_LINE - *first ? *first + end - 1 : TOOL_LAST_LINE;
		*last = end > 0 ? end : *last;
	}
}

bool
tool_arguments_are_lines(struct json_value name)
{
	return json_name_index(&argument_names, name) >= (int)ARGUMENT_OFFSET;
}
