#include "dialects/responses/responses_items.h"

#include "data/message/tool_output.h"
#include "json/string.h"

static bool
note_failure(struct row_reader *reader, struct row_place *place)
{
	if (tool_output_is_failure(row_place_find(place, &place->plan->content)))
		draft_set_error(reader->open->draft);
	return true;
}

/* Pins an opaque compaction item, since only it has the messages before it. */
static bool
pin(struct row_reader *reader, struct row_place *place)
{
	(void)place;
	if (!reader->reading->lossy)
		draft_set_pinned(reader->open->draft);
	return true;
}

const struct row responses_items_parts[] = {
    {"type=input_text|output_text|text", ROW_TEXT, .content = "text", .known = "type text"},
    {"type=input_image image_url:string", ROW_IMAGE, .content = "image_url",
	.known = "type image_url"},
    {"!type stdout", ROW_TEXT, .content = "."},
    {"encrypted_content:string", ROW_PART, .sealed = "encrypted_content"},
    {0},
};

#define MESSAGE \
	.make = ROW_MESSAGE, .role = "role", .id = "id", .inside = responses_items_parts, \
	.known = "type role content id"

#define REASONING(member) \
	.make = ROW_THINKING, .content = member "[]", .sealed = "encrypted_content", \
	.known = "type " member

const struct row responses_items[] = {
    {"type=message content:text", MESSAGE},
    {"!type content:text", MESSAGE},
    {"type=reasoning summary[].text", REASONING("summary")},
    {"type=reasoning summary[]:string", REASONING("summary")},
    {"type=reasoning content[].text", REASONING("content")},
    {"type=reasoning content[]:string", REASONING("content")},
    {"type=reasoning", ROW_THINKING, .content = "none", .sealed = "encrypted_content",
	.known = "type"},
    {"type=function_call", ROW_CALL, .id = "call_id|id", .name = "name", .arguments = "arguments",
	.known = "type call_id name arguments"},
    {"type=custom_tool_call", ROW_CALL, .id = "call_id|id", .name = "name", .arguments = "input",
	.argument = "input", .known = "call_id name input"},
    {"type=local_shell_call", ROW_CALL, .id = "call_id|id", .name = "'local_shell'",
	.arguments = "action", .known = "call_id action"},
    {"type=shell_call", ROW_CALL, .id = "call_id|id", .name = "'shell'", .arguments = "action",
	.known = "call_id action"},
    {"type=apply_patch_call", ROW_CALL, .id = "call_id|id", .name = "'apply_patch'",
	.arguments = "operation", .known = "call_id operation"},
    {"type=computer_call", ROW_CALL, .id = "call_id|id", .name = "'computer'",
	.arguments = "action|actions", .known = "call_id action actions"},
    {"type=tool_call", ROW_CALL, .id = "call_id|id", .name = "name|function.name",
	.arguments = "arguments", .known = "call_id id name function arguments timestamp"},
    {"type=function_call_output|custom_tool_call_output|local_shell_call_output|shell_call_output|"
     "apply_patch_call_output|computer_call_output",
	ROW_RESULT, .id = "call_id|id", .content = "output", .inside = responses_items_parts,
	.known = "type call_id output", .also = note_failure},
    {"type=tool_result", ROW_RESULT, .id = "call_id|id", .content = "result|output",
	.inside = responses_items_parts, .known = "type call_id id result output timestamp"},
    {"type=ghost_snapshot", ROW_SKIP},
    {"type=compaction|compaction_summary|context_compaction encrypted_content", ROW_PART,
	.sealed = "encrypted_content", .also = pin},
    {"type:string !type=message", ROW_PART, .sealed = "encrypted_content"},
    {0},
};

bool
responses_items_is_own(struct json_value value)
{
	struct json_value type = json_find(value, STR("type"));

	/* What is read as a call of a tool is not of the provider's making. */
	for (const struct row *row = responses_items; row->make != ROW_END; row++)
		if (row->make == ROW_CALL && json_is(type, str_from(row->when + strlen("type="))))
			return false;
	return type.type == JSON_STRING &&
	    (str_has_suffix(json_inner(type), STR("_call")) ||
		json_find(value, STR("encrypted_content")).type == JSON_STRING);
}

bool
responses_items_is_message(struct json_value value)
{
	struct json_value content = json_find(value, STR("content"));

	if (json_has(value, STR("type")) && !json_has_type(value, STR("message")))
		return false;
	for (struct json_walk walk = json_walk_list(content); json_walk_next(&walk);) {
		struct json_value type = json_find(walk.value, STR("type"));

		if (json_is(type, STR("input_text")) || json_is(type, STR("output_text")))
			return true;
	}
	return false;
}
