#include "dialects/definition.h"

#include "json/text.h"

/* The first member of that type under one of the names, a list ended by NULL. */
static struct json_value
find_of(struct json_value object, enum json_type type, const char *const *names)
{
	for (; *names != NULL; names++) {
		struct json_value value = json_find(object, str_from(*names));

		if (value.type == type)
			return value;
	}
	return (struct json_value){.type = JSON_ABSENT};
}

bool
definition_read_tool(struct json_value value, struct definition_tool *tool)
{
	static const char *const schemas[] = {
	    "parameters", "input_schema", "inputSchema", "schema", NULL};
	static const char *const held[] = {"function", "custom", NULL};
	struct json_value type = json_find(value, STR("type"));
	struct json_value inner = find_of(value, JSON_OBJECT, held);
	bool is_custom;

	if (inner.type == JSON_ABSENT)
		inner = value;
	*tool = (struct definition_tool){.value = value,
	    .name = json_find(inner, STR("name")),
	    .description = json_find(inner, STR("description")),
	    .schema = find_of(inner, JSON_OBJECT, schemas),
	    .strict = json_find(inner, STR("strict")),
	    .format = json_find(inner, STR("format")),
	    .cache_control = json_find(value, STR("cache_control"))};
	is_custom = json_is(type, STR("custom"));
	if (is_custom && tool->schema.type == JSON_ABSENT)
		tool->kind = DEFINITION_CUSTOM;
	else if (type.type == JSON_STRING && !is_custom && !json_is(type, STR("function")))
		tool->kind = DEFINITION_SERVER;
	return value.type == JSON_OBJECT &&
	    (tool->kind == DEFINITION_SERVER || tool->name.type == JSON_STRING);
}

bool
definition_read_format(struct json_value value, struct definition_format *format)
{
	struct json_value type = json_find(value, STR("type"));
	struct json_value inner = json_find(value, STR("json_schema"));
	bool is_plain = json_is(type, STR("text")) || json_is(type, STR("json_object"));

	if (inner.type != JSON_OBJECT)
		inner = value;
	*format = (struct definition_format){.schema = json_find(inner, STR("schema")),
	    .name = json_find(inner, STR("name")),
	    .description = json_find(inner, STR("description")),
	    .strict = json_find(inner, STR("strict"))};
	if (is_plain)
		format->type = type;
	else if (format->schema.type != JSON_OBJECT && type.type == JSON_STRING &&
	    !json_is(type, STR("json_schema")))
		*format = (struct definition_format){.schema = value}; /* a bare schema */
	return is_plain || format->schema.type == JSON_OBJECT;
}
