#include "dialects/openai/openai_request.h"

#include "dialects/request/definition.h"
#include "dialects/parts/name.h"
#include "dialects/openai/openai_rules.h"

static const struct str members[] = {STR_INIT("model"), STR_INIT("messages"), STR_INIT("tools"),
    STR_INIT("response_format"), STR_INIT("audio"), STR_INIT("frequency_penalty"),
    STR_INIT("function_call"), STR_INIT("functions"), STR_INIT("logit_bias"), STR_INIT("logprobs"),
    STR_INIT("max_completion_tokens"), STR_INIT("max_tokens"), STR_INIT("metadata"),
    STR_INIT("modalities"), STR_INIT("n"), STR_INIT("parallel_tool_calls"), STR_INIT("prediction"),
    STR_INIT("presence_penalty"), STR_INIT("prompt_cache_key"), STR_INIT("prompt_cache_retention"),
    STR_INIT("reasoning_effort"), STR_INIT("safety_identifier"), STR_INIT("seed"),
    STR_INIT("service_tier"), STR_INIT("stop"), STR_INIT("store"), STR_INIT("stream"),
    STR_INIT("stream_options"), STR_INIT("temperature"), STR_INIT("tool_choice"),
    STR_INIT("top_logprobs"), STR_INIT("top_p"), STR_INIT("user"), STR_INIT("verbosity"),
    STR_INIT("web_search_options")};

static bool
write_tool(struct json_value value, struct buf *buf)
{
	struct definition_tool tool;
	struct json_writer w;
	bool is_custom;

	if (!definition_read_tool(value, &tool) || tool.kind == DEFINITION_SERVER)
		return false;
	is_custom = tool.kind == DEFINITION_CUSTOM;
	json_begin(&w, buf, '{');
	json_member_string(&w, STR("type"), is_custom ? STR("custom") : STR("function"));
	json_member_open(&w, is_custom ? STR("custom") : STR("function"), '{');
	name_put(&w, tool.name, OPENAI_NAME_MAX);
	if (tool.description.type == JSON_STRING)
		json_member_value(&w, STR("description"), tool.description);
	if (is_custom)
		json_member_value(&w, STR("format"), tool.format);
	else
		json_member_value(&w, STR("parameters"), tool.schema);
	if (!is_custom && json_is_bool(tool.strict))
		json_member_value(&w, STR("strict"), tool.strict);
	json_close(&w);
	json_close(&w);
	return true;
}

void
openai_request_put_schema(
    const struct definition_format *format, unsigned name_max, struct json_writer *w)
{
	if (format->name.type == JSON_STRING && format->name.len > 2)
		name_put(w, format->name, name_max);
	else
		json_member_string(w, STR("name"), STR("response"));
	if (format->description.type == JSON_STRING)
		json_member_value(w, STR("description"), format->description);
	if (json_is_bool(format->strict))
		json_member_value(w, STR("strict"), format->strict);
	json_member_value(w, STR("schema"), format->schema);
}

static bool
put_format(struct json_value value, struct json_value kept, struct json_writer *w)
{
	struct definition_format format;

	(void)kept;
	if (value.type == JSON_ABSENT)
		return true;
	if (!definition_read_format(value, &format))
		return false;
	json_member_open(w, STR("response_format"), '{');
	json_member_raw(w, STR("type"),
	    format.type.type == JSON_STRING ? json_span(format.type) : STR("\"json_schema\""));
	if (format.schema.type == JSON_OBJECT) {
		json_member_open(w, STR("json_schema"), '{');
		openai_request_put_schema(&format, OPENAI_NAME_MAX, w);
		json_close(w);
	}
	json_close(w);
	return true;
}

bool
openai_request_put_choice(
    const struct definition_choice *choice, unsigned name_max, bool is_flat, struct json_writer *w)
{
	static const struct str word[] = {[DEFINITION_CHOICE_AUTO] = STR_INIT("auto"),
	    [DEFINITION_CHOICE_NONE] = STR_INIT("none"),
	    [DEFINITION_CHOICE_ANY] = STR_INIT("required")};
	struct str type = choice->is_custom ? STR("custom") : STR("function");

	if (choice->kind == DEFINITION_CHOICE_ABSENT)
		return true;
	json_name(w, STR("tool_choice"));
	if (choice->kind == DEFINITION_CHOICE_SOME) {
		json_put_value(w, choice->value);
	} else if (choice->kind != DEFINITION_CHOICE_TOOL) {
		json_put_string(w, word[choice->kind]);
	} else {
		json_open(w, '{');
		json_member_string(w, STR("type"), type);
		if (!is_flat)
			json_member_open(w, type, '{');
		name_put(w, choice->name, name_max);
		if (!is_flat)
			json_close(w);
		json_close(w);
	}
	return true;
}

static bool
put_choice(const struct definition_choice *choice, struct json_writer *w)
{
	return openai_request_put_choice(choice, OPENAI_NAME_MAX, false, w);
}

static const struct request_alias aliases[] = {{STR_INIT("stop_sequences"), STR_INIT("stop")}};

const struct request_api openai_request_api = {
    .member = members,
    .count = ARRAY_COUNT(members),
    .alias = aliases,
    .alias_count = ARRAY_COUNT(aliases),
    .write_tool = write_tool,
    .put_format = put_format,
    .put_choice = put_choice,
    .messages = STR_INIT("messages"),
    .choice = STR_INIT("tool_choice"),
    .format = STR_INIT("response_format"),
    .needs_model = true,
    .has_parallel = true,
};
