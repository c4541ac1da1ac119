#include "policy/outline/outline_edit.h"

#include "json/leaves.h"
#include "json/string.h"
#include "policy/digest/line_class.h"

bool
outline_edit_is(const struct call *call)
{
	return tool_kind(call->use.op) == TOOL_EDIT;
}

static void
add_unless(struct outline_step *step, struct str text, const struct map *lines,
    enum outline_step_source source)
{
	while (text.len > 0) {
		struct str line = str_take_line(&text);

		if (map_get(lines, hash_label(line_class_bare(line))) == MAP_NONE)
			outline_step_add_detail(step, line, source);
	}
}

/* Whether the member has text that an edit puts in, unlike "command": "str_replace". */
static bool
is_new(struct str name)
{
	static const struct str names[] = {STR_INIT("content"), STR_INIT("contents"),
	    STR_INIT("text"), STR_INIT("file_text"), STR_INIT("insert_text"), STR_INIT("code"),
	    STR_INIT("code_edit"), STR_INIT("replace"), STR_INIT("replacement")};

	return str_has_prefix(name, STR("new")) || STR_IS_ONE_OF(name, names);
}

void
outline_edit_add_receipt(struct outline_step *step, struct str text)
{
	static const struct str done[] = {STR_INIT("uccessfully"), STR_INIT("has been updated"),
	    STR_INIT("has been edited"), STR_INIT("has been created"), STR_INIT("was updated")};

	while (text.len > 0) {
		struct str line = str_take_line(&text);

		if (!STR_HAS_ANY(line, done))
			outline_step_add_detail(step, line, OUTLINE_STEP_RECEIPT);
	}
}

void
outline_edit_add_patch(struct outline_step *step, struct str text)
{
	while (text.len > 0) {
		struct str line = str_take_line(&text);

		if (line.len > 1 && line.ptr[0] == '+')
			outline_step_add_detail(
			    step, str_of(line.ptr + 1, line.len - 1), OUTLINE_STEP_ADDED);
		else if (line.len > 1 && line.ptr[0] == '-')
			outline_step_add_detail(
			    step, str_of(line.ptr + 1, line.len - 1), OUTLINE_STEP_REMOVED);
	}
}

void
outline_edit_add(struct outline_step *step, const struct call *call)
{
	struct arena arena = ARENA_INIT;
	struct tool_arguments arguments;
	struct map lines[2] = {MAP_INIT, MAP_INIT};
	struct buf text = BUF_INIT;
	struct json_leaves leaves;
	enum json_leaf leaf;

	tool_arguments(call->arguments, &arena, &arguments);
	for (int pass = 0; pass < 2 && arguments.value.type != JSON_ABSENT; pass++) {
		json_leaves_open(&leaves, json_span(arguments.value));
		while ((leaf = json_leaves_next(&leaves)) != JSON_LEAF_END) {
			struct str value, name;
			bool old;

			if (leaf != JSON_LEAF_STRING)
				continue;
			value = json_text(leaves.value, &text);
			name = json_inner(json_leaves_name(&leaves));
			old = str_has_prefix(name, STR("old"));
			if (str_eq(value, call->use.target) ||
			    !(old || (outline_edit_is(call) && is_new(name)) ||
				!str_is_one_line(value)))
				continue;
			if (str_has_prefix(value, STR("*** Begin Patch"))) {
				if (pass == 1)
					outline_edit_add_patch(step, value);
			} else if (pass == 0) {
				while (value.len > 0)
					map_set(&lines[old],
					    hash_label(line_class_bare(str_take_line(&value))), 1);
			} else {
				add_unless(step, value, &lines[!old],
				    old                            ? OUTLINE_STEP_REMOVED :
					call->use.op == TOOL_WRITE ? OUTLINE_STEP_WRITTEN :
								     OUTLINE_STEP_ADDED);
			}
		}
	}
	map_free(&lines[0]);
	map_free(&lines[1]);
	buf_free(&text);
	arena_free(&arena);
}
