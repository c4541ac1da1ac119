#include "dialects/request/definition.h"

#include "json/nested.h"
#include "json/string.h"
#include "json/write.h"

/* The first member of that type under one of the names, a list ended by NULL. */
static struct json_value
find_of(struct json_value object, enum json_type type, const char *const *names)
{
	for (; *names != NULL; names++) {
		struct json_value value = json_find(object, str_from(*names));

		if (value.type == type)
			return value;
	}
	return json_absent;
}

bool
definition_read_tool(struct json_value value, struct definition_tool *tool)
{
	static const char *const schemas[] = {"parameters", "input_schema", "inputSchema",
	    "parametersJsonSchema", "parameters_json_schema", "schema", NULL};
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

/* The functions that a tool of Gemini declares, or absent. */
static struct json_value
find_declared(struct json_value tool)
{
	static const char *const names[] = {"functionDeclarations", "function_declarations", NULL};

	return find_of(tool, JSON_ARRAY, names);
}

/* Puts the functions that the tool declares, and each other member as a tool of its own. */
static void
put_declared(struct json_writer *w, struct json_value tool, struct json_value declared)
{
	for (struct json_walk walk = json_walk_of(declared); json_walk_next(&walk);)
		json_put_value(w, walk.value);
	for (struct json_walk walk = json_walk_of(tool); json_walk_next(&walk);) {
		if (walk.value.ptr == declared.ptr)
			continue;
		json_open(w, '{');
		json_put_member(w, walk.name, walk.value);
		json_close(w);
	}
}

struct json_value
definition_tools(struct json_value value, struct arena *arena)
{
	struct buf text = BUF_INIT;
	struct json_writer w;
	bool is_declared = false;

	if (value.type == JSON_STRING)
		value = json_nested_line(value, arena);
	if (value.type != JSON_ARRAY)
		value.type = JSON_ABSENT;
	json_begin(&w, &text, '[');
	for (struct json_walk walk = json_walk_list(value); json_walk_next(&walk);) {
		struct json_value declared = find_declared(walk.value);

		is_declared |= declared.type == JSON_ARRAY;
		if (declared.type == JSON_ARRAY)
			put_declared(&w, walk.value, declared);
		else
			json_put_value(&w, walk.value);
	}
	json_close(&w);
	if (is_declared)
		value = json_value_at(arena_copy_padded(arena, buf_str(&text)).ptr);
	buf_free(&text);
	return value;
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

/* The kind that a word names: ABSENT for an unknown one. */
static enum definition_choice_kind
choice_kind(struct json_value word)
{
	static const struct {
		struct str word;
		enum definition_choice_kind kind;
	} words[] = {
	    {STR_INIT("auto"), DEFINITION_CHOICE_AUTO},
	    {STR_INIT("none"), DEFINITION_CHOICE_NONE},
	    {STR_INIT("required"), DEFINITION_CHOICE_ANY},
	    {STR_INIT("any"), DEFINITION_CHOICE_ANY},
	    {STR_INIT("tool"), DEFINITION_CHOICE_TOOL},
	    {STR_INIT("function"), DEFINITION_CHOICE_TOOL},
	    {STR_INIT("custom"), DEFINITION_CHOICE_TOOL},
	    {STR_INIT("allowed_tools"), DEFINITION_CHOICE_SOME},
	};

	for (size_t i = 0; i < ARRAY_COUNT(words); i++)
		if (json_is(word, words[i].word))
			return words[i].kind;
	return DEFINITION_CHOICE_ABSENT;
}

bool
definition_read_choice(struct json_value value, struct definition_choice *choice)
{
	static const char *const held[] = {"function", "custom", NULL};
	struct json_value inner, type = value;

	*choice = (struct definition_choice){.value = value};
	if (value.type <= JSON_NULL)
		return true;
	if (value.type == JSON_OBJECT) {
		type = json_find(value, STR("type"));
		inner = find_of(value, JSON_OBJECT, held);
		choice->name = json_find(inner.type == JSON_OBJECT ? inner : value, STR("name"));
		choice->is_custom = json_is(type, STR("custom"));
		choice->is_serial =
		    json_find(value, STR("disable_parallel_tool_use")).type == JSON_TRUE;
	}
	choice->kind = choice_kind(type);
	/* The function_call of old requests names its function and says no type. */
	if (value.type == JSON_OBJECT && type.type == JSON_ABSENT)
		choice->kind = DEFINITION_CHOICE_TOOL;
	if (choice->kind == DEFINITION_CHOICE_TOOL)
		return choice->name.type == JSON_STRING && choice->name.len > 2;
	return choice->kind != DEFINITION_CHOICE_ABSENT &&
	    (choice->kind != DEFINITION_CHOICE_SOME || value.type == JSON_OBJECT);
}
