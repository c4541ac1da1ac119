#include "dialects/anthropic/anthropic_request.h"

#include "dialects/anthropic/anthropic_rules.h"
#include "dialects/request/definition.h"
#include "dialects/parts/name.h"
#include "json/string.h"

static const struct str members[] = {STR_INIT("model"), STR_INIT("messages"), STR_INIT("system"),
    STR_INIT("tools"), STR_INIT("max_tokens"), STR_INIT("container"),
    STR_INIT("context_management"), STR_INIT("inference_geo"), STR_INIT("mcp_servers"),
    STR_INIT("metadata"), STR_INIT("output_config"), STR_INIT("service_tier"), STR_INIT("speed"),
    STR_INIT("stop_sequences"), STR_INIT("stream"), STR_INIT("temperature"), STR_INIT("thinking"),
    STR_INIT("tool_choice"), STR_INIT("top_k"), STR_INIT("top_p"), STR_INIT("cache_control")};

/* The types of the tools that the provider runs end with a date: web_search_20250305. */
static bool
is_dated(struct json_value type)
{
	struct str name;

	if (type.type != JSON_STRING || type.len < 11)
		return false;
	name = json_inner(type);
	for (size_t i = name.len - 8; i < name.len; i++)
		if (name.ptr[i] < '0' || name.ptr[i] > '9')
			return false;
	return name.ptr[name.len - 9] == '_';
}

/* The API requires a schema of the arguments, and of an object. The text of a custom tool becomes
 * the only argument of its calls. */
static void
put_schema(const struct definition_tool *tool, struct json_writer *w)
{
	json_name(w, STR("input_schema"));
	if (tool->kind == DEFINITION_CUSTOM) {
		json_put_raw(w,
		    STR("{\"type\":\"object\",\"properties\":{\"arguments\":{\"type\":\"string\"}},"
			"\"required\":[\"arguments\"]}"));
	} else if (json_is(json_find(tool->schema, STR("type")), STR("object"))) {
		json_put_value(w, tool->schema);
	} else {
		json_open(w, '{');
		json_member_string(w, STR("type"), STR("object"));
		for (struct json_walk walk = json_walk_of(tool->schema); json_walk_next(&walk);) {
			if (json_is(walk.name, STR("type")))
				continue;
			json_put_member(w, walk.name, walk.value);
		}
		json_close(w);
	}
}

/* Whether the tool is spelled as the API has it. Such a tool keeps members that only this API
 * knows. */
static bool
is_own(const struct definition_tool *tool)
{
	struct json_value type = json_find(tool->value, STR("type"));
	struct json_value schema = json_find(tool->value, STR("input_schema"));

	return (type.type == JSON_ABSENT || json_is(type, STR("custom"))) &&
	    name_is_plain(tool->name, ANTHROPIC_NAME_MAX) && json_has_type(schema, STR("object"));
}

static bool
write_tool(struct json_value value, struct buf *buf)
{
	struct definition_tool tool;
	struct json_writer w;

	if (!definition_read_tool(value, &tool))
		return false;
	if (tool.kind == DEFINITION_SERVER) {
		buf_add_str(buf, json_span(value));
		return is_dated(json_find(value, STR("type")));
	}
	if (is_own(&tool)) {
		buf_add_str(buf, json_span(value));
		return true;
	}
	json_begin(&w, buf, '{');
	name_put(&w, tool.name, ANTHROPIC_NAME_MAX);
	if (tool.description.type == JSON_STRING)
		json_member_value(&w, STR("description"), tool.description);
	put_schema(&tool, &w);
	if (json_is_bool(tool.strict))
		json_member_value(&w, STR("strict"), tool.strict);
	if (tool.cache_control.type == JSON_OBJECT)
		json_member_value(&w, STR("cache_control"), tool.cache_control);
	json_close(&w);
	return true;
}

static bool
put_format(struct json_value value, struct json_value kept, struct json_writer *w)
{
	struct json_value config = json_find(kept, STR("output_config"));
	struct definition_format format = {.type = {.type = JSON_ABSENT}};
	bool is_known = value.type == JSON_ABSENT || definition_read_format(value, &format);

	if (json_is(format.type, STR("json_object")))
		is_known = false;
	if (format.schema.type != JSON_OBJECT && config.type != JSON_OBJECT)
		return is_known;
	json_member_open(w, STR("output_config"), '{');
	for (struct json_walk walk = json_walk_members(config); json_walk_next(&walk);)
		json_put_member(w, walk.name, walk.value);
	if (format.schema.type == JSON_OBJECT) {
		json_member_open(w, STR("format"), '{');
		json_member_string(w, STR("type"), STR("json_schema"));
		json_member_value(w, STR("schema"), format.schema);
		json_close(w);
	}
	json_close(w);
	return is_known;
}

/* A choice is an object. It says that there is one call at a time, unless there is none. */
static bool
put_choice(const struct definition_choice *choice, struct json_writer *w)
{
	static const struct str type[] = {[DEFINITION_CHOICE_ABSENT] = STR_INIT("auto"),
	    [DEFINITION_CHOICE_AUTO] = STR_INIT("auto"),
	    [DEFINITION_CHOICE_NONE] = STR_INIT("none"),
	    [DEFINITION_CHOICE_ANY] = STR_INIT("any"),
	    [DEFINITION_CHOICE_TOOL] = STR_INIT("tool"),
	    [DEFINITION_CHOICE_SOME] = STR_INIT("auto")};
	bool is_known = choice->kind != DEFINITION_CHOICE_SOME;

	if ((!is_known || choice->kind == DEFINITION_CHOICE_ABSENT) && !choice->is_serial)
		return is_known;
	json_member_open(w, STR("tool_choice"), '{');
	json_member_string(w, STR("type"), type[choice->kind]);
	if (choice->kind == DEFINITION_CHOICE_TOOL)
		name_put(w, choice->name, ANTHROPIC_NAME_MAX);
	if (choice->is_serial && choice->kind != DEFINITION_CHOICE_NONE)
		json_member_bool(w, STR("disable_parallel_tool_use"), true);
	json_close(w);
	return is_known;
}

static bool
put_member(struct str name, struct json_value value, struct json_writer *w)
{
	if (!str_eq(name, STR("stop_sequences")) || value.type != JSON_STRING)
		return false;
	json_member_open(w, name, '[');
	json_put_value(w, value);
	json_close(w);
	return true;
}

/* The first one is no message. */
static bool
add_system(struct json_value message, struct buf *system)
{
	if (system->len > 0)
		return false;
	buf_add_str(system, json_span(json_find(message, STR("content"))));
	return true;
}

static const struct request_alias aliases[] = {
    {STR_INIT("max_completion_tokens"), STR_INIT("max_tokens")},
    {STR_INIT("stop"), STR_INIT("stop_sequences")}};

const struct request_api anthropic_request_api = {
    .member = members,
    .count = ARRAY_COUNT(members),
    .alias = aliases,
    .alias_count = ARRAY_COUNT(aliases),
    .messages = STR_INIT("messages"),
    .system = STR_INIT("system"),
    .choice = STR_INIT("tool_choice"),
    .format = STR_INIT("output_config"),
    .add_system = add_system,
    .says_serial = true,
    .needs_model = true,
    .needs_max_tokens = true,
    .has_marks = true,
    .write_tool = write_tool,
    .put_format = put_format,
    .put_choice = put_choice,
    .put_member = put_member,
};
