#include "dialects/gemini/gemini_request.h"

#include "dialects/gemini/gemini_writer.h"
#include "dialects/parts/name.h"
#include "dialects/request/definition.h"
#include "json/string.h"

static const struct str members[] = {STR_INIT("contents"), STR_INIT("systemInstruction"),
    STR_INIT("tools"), STR_INIT("toolConfig"), STR_INIT("safetySettings"),
    STR_INIT("generationConfig"), STR_INIT("cachedContent"), STR_INIT("labels"),
    STR_INIT("serviceTier"), STR_INIT("store")};

/* Members of other APIs, and their names in generationConfig. */
static const struct request_alias settings[] = {{STR_INIT("temperature"), STR_INIT("temperature")},
    {STR_INIT("top_p"), STR_INIT("topP")}, {STR_INIT("top_k"), STR_INIT("topK")},
    {STR_INIT("max_tokens"), STR_INIT("maxOutputTokens")},
    {STR_INIT("max_completion_tokens"), STR_INIT("maxOutputTokens")},
    {STR_INIT("max_output_tokens"), STR_INIT("maxOutputTokens")},
    {STR_INIT("stop"), STR_INIT("stopSequences")},
    {STR_INIT("stop_sequences"), STR_INIT("stopSequences")}, {STR_INIT("seed"), STR_INIT("seed")},
    {STR_INIT("n"), STR_INIT("candidateCount")},
    {STR_INIT("presence_penalty"), STR_INIT("presencePenalty")},
    {STR_INIT("frequency_penalty"), STR_INIT("frequencyPenalty")}};

#define IN_CONFIG(name) \
	{ \
		STR_INIT(name), STR_INIT("generationConfig") \
	}
static const struct request_alias aliases[] = {IN_CONFIG("temperature"), IN_CONFIG("top_p"),
    IN_CONFIG("top_k"), IN_CONFIG("max_tokens"), IN_CONFIG("max_completion_tokens"),
    IN_CONFIG("max_output_tokens"), IN_CONFIG("stop"), IN_CONFIG("stop_sequences"),
    IN_CONFIG("seed"), IN_CONFIG("n"), IN_CONFIG("presence_penalty"),
    IN_CONFIG("frequency_penalty"), {STR_INIT("service_tier"), STR_INIT("serviceTier")}};

/* A declaration that is Gemini's own may have a schema of its own kind, too. A tool that the
 * provider runs has no type: its member names it. */
static bool
write_tool(struct json_value value, struct buf *buf)
{
	struct definition_tool tool;
	struct json_writer w;

	if (!definition_read_tool(value, &tool)) {
		buf_add_str(buf, json_span(value));
		return value.type == JSON_OBJECT && !json_has(value, STR("type")) &&
		    json_has_elements(value);
	}
	if (tool.kind == DEFINITION_SERVER)
		return false;
	if (!json_has(value, STR("type")) && !json_has(value, STR("input_schema")) &&
	    !json_has(value, STR("function")) && name_is_plain(tool.name, GEMINI_NAME_MAX)) {
		buf_add_str(buf, json_span(value));
		return true;
	}
	json_begin(&w, buf, '{');
	name_put(&w, tool.name, GEMINI_NAME_MAX);
	if (tool.description.type == JSON_STRING)
		json_member_value(&w, STR("description"), tool.description);
	if (tool.kind == DEFINITION_CUSTOM)
		json_member_raw(&w, STR("parametersJsonSchema"),
		    STR("{\"type\":\"object\",\"properties\":{\"arguments\":{\"type\":\"string\"}},"
			"\"required\":[\"arguments\"]}"));
	else
		json_member_value(&w, STR("parametersJsonSchema"), tool.schema);
	json_close(&w);
	return true;
}

/* Puts the value of another API as the member of generationConfig. */
static void
put_setting(struct str name, struct json_value value, struct json_writer *w)
{
	bool is_list = str_eq(name, STR("stopSequences")) && value.type == JSON_STRING;

	if (value.type <= JSON_NULL)
		return;
	json_name(w, name);
	if (is_list)
		json_open(w, '[');
	json_put_value(w, value);
	if (is_list)
		json_close(w);
}

/* The members of generationConfig: those of Gemini, then those of other APIs, each once. */
static void
put_settings(struct json_value kept, struct json_value config, struct json_writer *w)
{
	struct str last = STR("");

	for (struct json_walk walk = json_walk_members(config); json_walk_next(&walk);)
		json_put_member(w, walk.name, walk.value);
	for (unsigned i = 0; i < ARRAY_COUNT(settings); i++) {
		struct json_value value = json_find(kept, settings[i].other);

		if (value.type <= JSON_NULL || json_has(config, settings[i].own) ||
		    str_eq(settings[i].own, last))
			continue;
		last = settings[i].own;
		put_setting(last, value, w);
	}
}

static bool
put_format(struct json_value value, struct json_value kept, struct json_writer *w)
{
	static const struct str none = STR_INIT("{}");
	struct json_value config = json_find(kept, STR("generationConfig"));
	struct definition_format format;
	bool has_format = value.type != JSON_ABSENT && definition_read_format(value, &format);
	struct buf text = BUF_INIT;
	struct json_writer inner;

	json_begin(&inner, &text, '{');
	put_settings(kept, config, &inner);
	if (has_format && !json_is(format.type, STR("text")) &&
	    !json_has(config, STR("responseMimeType")))
		json_member_string(&inner, STR("responseMimeType"), STR("application/json"));
	if (has_format && format.schema.type == JSON_OBJECT &&
	    !json_has(config, STR("responseSchema")) &&
	    !json_has(config, STR("responseJsonSchema")))
		json_member_value(&inner, STR("responseJsonSchema"), format.schema);
	json_close(&inner);
	if (!str_eq(buf_str(&text), none))
		json_member_raw(w, STR("generationConfig"), buf_str(&text));
	buf_free(&text);
	return has_format || value.type == JSON_ABSENT;
}

static bool
put_choice(const struct definition_choice *choice, struct json_writer *w)
{
	static const struct str mode[] = {[DEFINITION_CHOICE_AUTO] = STR_INIT("AUTO"),
	    [DEFINITION_CHOICE_NONE] = STR_INIT("NONE"),
	    [DEFINITION_CHOICE_ANY] = STR_INIT("ANY"),
	    [DEFINITION_CHOICE_TOOL] = STR_INIT("ANY")};

	if (choice->kind == DEFINITION_CHOICE_ABSENT || choice->kind == DEFINITION_CHOICE_SOME)
		return choice->kind == DEFINITION_CHOICE_ABSENT;
	json_member_open(w, STR("toolConfig"), '{');
	json_member_open(w, STR("functionCallingConfig"), '{');
	json_member_string(w, STR("mode"), mode[choice->kind]);
	if (choice->kind == DEFINITION_CHOICE_TOOL) {
		json_member_open(w, STR("allowedFunctionNames"), '[');
		json_put_raw(w, STR(""));
		name_write(choice->name, GEMINI_NAME_MAX, w->buf);
		json_close(w);
	}
	json_close(w);
	json_close(w);
	return true;
}

/* All system messages are parts of one instruction. */
static bool
add_system(struct json_value message, struct buf *system)
{
	struct str parts = json_span(json_find(message, STR("parts")));

	buf_add_str(system, system->len > 0 ? STR(",") : STR("{\"parts\":["));
	buf_add_str(system, str_of(parts.ptr + 1, parts.len - 2));
	return true;
}

const struct request_api gemini_request_api = {
    .member = members,
    .count = ARRAY_COUNT(members),
    .alias = aliases,
    .alias_count = ARRAY_COUNT(aliases),
    .messages = STR_INIT("contents"),
    .system = STR_INIT("systemInstruction"),
    .choice = STR_INIT("toolConfig"),
    .format = STR_INIT("generationConfig"),
    .add_system = add_system,
    .system_tail = STR_INIT("]}"),
    .functions = STR_INIT("functionDeclarations"),
    .write_tool = write_tool,
    .put_format = put_format,
    .put_choice = put_choice,
};
