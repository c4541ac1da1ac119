#include "dialects/responses/responses_request.h"

#include "dialects/openai/openai_request.h"
#include "dialects/parts/name.h"
#include "dialects/request/definition.h"
#include "dialects/responses/responses_writer.h"
#include "json/string.h"

static const struct str members[] = {STR_INIT("model"), STR_INIT("input"), STR_INIT("instructions"),
    STR_INIT("tools"), STR_INIT("background"), STR_INIT("context_management"),
    STR_INIT("conversation"), STR_INIT("include"), STR_INIT("max_output_tokens"),
    STR_INIT("max_tool_calls"), STR_INIT("metadata"), STR_INIT("moderation"),
    STR_INIT("parallel_tool_calls"), STR_INIT("previous_response_id"), STR_INIT("prompt"),
    STR_INIT("prompt_cache_key"), STR_INIT("prompt_cache_options"),
    STR_INIT("prompt_cache_retention"), STR_INIT("reasoning"), STR_INIT("safety_identifier"),
    STR_INIT("service_tier"), STR_INIT("store"), STR_INIT("stream"), STR_INIT("stream_options"),
    STR_INIT("temperature"), STR_INIT("text"), STR_INIT("tool_choice"), STR_INIT("top_logprobs"),
    STR_INIT("top_p"), STR_INIT("truncation"), STR_INIT("user")};

/* A tool is flat; those that the provider runs are as they are. */
static bool
write_tool(struct json_value value, struct buf *buf)
{
	struct definition_tool tool;
	struct json_writer w;

	if (!definition_read_tool(value, &tool))
		return false;
	if (tool.kind == DEFINITION_SERVER) {
		buf_add_str(buf, json_span(value));
		return true;
	}
	json_begin(&w, buf, '{');
	json_member_string(
	    &w, STR("type"), tool.kind == DEFINITION_CUSTOM ? STR("custom") : STR("function"));
	name_put(&w, tool.name, RESPONSES_NAME_MAX);
	if (tool.description.type == JSON_STRING)
		json_member_value(&w, STR("description"), tool.description);
	if (tool.kind == DEFINITION_CUSTOM)
		json_member_value(&w, STR("format"), tool.format);
	else
		json_member_raw(&w, STR("parameters"),
		    tool.schema.type == JSON_OBJECT ?
			json_span(tool.schema) :
			STR("{\"type\":\"object\",\"properties\":{}}"));
	if (tool.kind == DEFINITION_FUNCTION && json_is_bool(tool.strict))
		json_member_value(&w, STR("strict"), tool.strict);
	json_close(&w);
	return true;
}

static void
put_schema(const struct definition_format *format, struct json_writer *w)
{
	json_member_open(w, STR("format"), '{');
	json_member_raw(w, STR("type"),
	    format->type.type == JSON_STRING ? json_span(format->type) : STR("\"json_schema\""));
	if (format->schema.type == JSON_OBJECT)
		openai_request_put_schema(format, RESPONSES_NAME_MAX, w);
	json_close(w);
}

/* The format is in the member text, beside the verbosity, which the chat API has as a member of its
 * own. */
static bool
put_format(struct json_value value, struct json_value kept, struct json_writer *w)
{
	struct json_value text = json_find(kept, STR("text"));
	struct json_value verbosity = json_find(kept, STR("verbosity"));
	struct definition_format format;
	bool has_format = value.type != JSON_ABSENT && definition_read_format(value, &format);

	if (!has_format && text.type != JSON_OBJECT && verbosity.type != JSON_STRING)
		return value.type == JSON_ABSENT;
	json_member_open(w, STR("text"), '{');
	for (struct json_walk walk = json_walk_members(text); json_walk_next(&walk);)
		if (!has_format || !json_is(walk.name, STR("format")))
			json_put_member(w, walk.name, walk.value);
	if (verbosity.type == JSON_STRING && !json_has(text, STR("verbosity")))
		json_member_value(w, STR("verbosity"), verbosity);
	if (has_format)
		put_schema(&format, w);
	json_close(w);
	return has_format || value.type == JSON_ABSENT;
}

/* Some tools are named in the object itself. */
static bool
put_choice(const struct definition_choice *choice, struct json_writer *w)
{
	if (choice->kind == DEFINITION_CHOICE_SOME &&
	    json_find(choice->value, STR("tools")).type != JSON_ARRAY)
		return false;
	return openai_request_put_choice(choice, RESPONSES_NAME_MAX, true, w);
}

/* How much is reasoned is a word in the chat API. */
static bool
put_member(struct str name, struct json_value value, struct json_writer *w)
{
	if (!str_eq(name, STR("reasoning")) || value.type != JSON_STRING)
		return false;
	json_member_open(w, name, '{');
	json_member_value(w, STR("effort"), value);
	json_close(w);
	return true;
}

/* The first one is a string; one with other parts than texts stays an item. */
static bool
add_system(struct json_value message, struct buf *system)
{
	struct json_value content = json_find(message, STR("content"));

	if (system->len > 0)
		return false;
	for (struct json_walk walk = json_walk_list(content); json_walk_next(&walk);)
		if (!json_has_type(walk.value, STR("input_text")))
			return false;
	buf_add_char(system, '"');
	for (struct json_walk walk = json_walk_list(content); json_walk_next(&walk);) {
		buf_add_str(system, system->len > 1 ? STR("\\n") : STR(""));
		buf_add_str(system, json_inner(json_find(walk.value, STR("text"))));
	}
	return true;
}

static const struct request_alias aliases[] = {
    {STR_INIT("max_completion_tokens"), STR_INIT("max_output_tokens")},
    {STR_INIT("max_tokens"), STR_INIT("max_output_tokens")},
    {STR_INIT("reasoning_effort"), STR_INIT("reasoning")},
    {STR_INIT("verbosity"), STR_INIT("text")}};

const struct request_api responses_request_api = {
    .member = members,
    .count = ARRAY_COUNT(members),
    .alias = aliases,
    .alias_count = ARRAY_COUNT(aliases),
    .messages = STR_INIT("input"),
    .system = STR_INIT("instructions"),
    .choice = STR_INIT("tool_choice"),
    .format = STR_INIT("text"),
    .add_system = add_system,
    .system_tail = STR_INIT("\""),
    .has_text_system = true,
    .needs_model = true,
    .write_tool = write_tool,
    .put_format = put_format,
    .put_choice = put_choice,
    .has_parallel = true,
    .put_member = put_member,
};
