/* Definitions of tools, formats of answers and choices of tools, by their spellings. */

#include "dialects/request/definition.h"

#include "json_padded.h"
#include "unit.h"

/* What is written with ' for "; an expected "" is a value that is absent. */
static void
check_value(struct json_value value, const char *expected)
{
	struct str text = quoted(expected);
	struct str got = value.type == JSON_ABSENT ? STR("") : json_span(value);

	if (!CHECK(str_eq(got, text)))
		printf("    got '%.*s', expected '%s'\n", STR_ARG(got), expected);
}

static void
check_tool(const char *text, enum definition_kind kind, const char *name, const char *schema)
{
	struct definition_tool tool;

	if (!CHECK(definition_read_tool(parsed_str(quoted(text)), &tool)) ||
	    !CHECK(tool.kind == kind))
		printf("    of %s\n", text);
	check_value(tool.name, name);
	check_value(tool.schema, schema);
	check_value(tool.value, text);
}

static void
check_no_tool(const char *text)
{
	struct definition_tool tool;

	if (!CHECK(!definition_read_tool(parsed_str(quoted(text)), &tool)))
		printf("    of %s\n", text);
}

static void
test_tools(void)
{
	struct definition_tool tool;

	check_tool("{'type':'function','function':{'name':'f','parameters':{'a':1}}}",
	    DEFINITION_FUNCTION, "'f'", "{'a':1}");
	check_tool(
	    "{'type':'function','name':'f','parameters':{}}", DEFINITION_FUNCTION, "'f'", "{}");
	check_tool("{'name':'f','input_schema':{}}", DEFINITION_FUNCTION, "'f'", "{}");
	check_tool("{'name':'f','inputSchema':{}}", DEFINITION_FUNCTION, "'f'", "{}");
	check_tool("{'name':'f','schema':{},'parameters':7}", DEFINITION_FUNCTION, "'f'", "{}");
	check_tool("{'name':'f'}", DEFINITION_FUNCTION, "'f'", "");
	check_tool(
	    "{'type':'custom','custom':{'name':'f','format':{}}}", DEFINITION_CUSTOM, "'f'", "");
	check_tool("{'type':'custom','name':'f'}", DEFINITION_CUSTOM, "'f'", "");
	/* Anthropic's custom tools are called with an object. */
	check_tool(
	    "{'type':'custom','name':'f','input_schema':{}}", DEFINITION_FUNCTION, "'f'", "{}");
	check_tool("{'type':'web_search_20250305','name':'web_search'}", DEFINITION_SERVER,
	    "'web_search'", "");
	check_tool("{'type':'mcp'}", DEFINITION_SERVER, "", "");
	check_no_tool("{'type':'function','function':{'parameters':{}}}");
	check_no_tool("{'name':7}");
	check_no_tool("{}");
	check_no_tool("'f'");
	check_no_tool("[{'name':'f'}]");

	CHECK(definition_read_tool(
	    parsed_str(quoted("{'cache_control':1,'function':{'name':'f','description':'d',"
			      "'strict':true,'format':2,'cache_control':3}}")),
	    &tool));
	check_value(tool.description, "'d'");
	check_value(tool.strict, "true");
	check_value(tool.format, "2");
	check_value(tool.cache_control, "1");
}

static void
check_list(const char *text, const char *expected)
{
	struct arena arena = ARENA_INIT;

	check_value(definition_tools(parsed_str(quoted(text)), &arena), expected);
	arena_free(&arena);
}

static void
test_lists(void)
{
	check_list("[{'name':'f'}]", "[{'name':'f'}]");
	check_list("'[1,\\n 2]'", "[1,  2]");
	check_list("'{}'", "");
	check_list("''", "");
	check_list("'[1'", "");
	check_list("{'name':'f'}", "");
	check_list("null", "");
}

static void
check_format(const char *text, const char *type, const char *schema, const char *name)
{
	struct definition_format format;

	if (!CHECK(definition_read_format(parsed_str(quoted(text)), &format)))
		printf("    of %s\n", text);
	check_value(format.type, type);
	check_value(format.schema, schema);
	check_value(format.name, name);
}

static void
check_no_format(const char *text)
{
	struct definition_format format;

	if (!CHECK(!definition_read_format(parsed_str(quoted(text)), &format)))
		printf("    of %s\n", text);
}

static void
test_formats(void)
{
	check_format("{'type':'text'}", "'text'", "", "");
	check_format("{'type':'json_object'}", "'json_object'", "", "");
	check_format("{'type':'json_schema','json_schema':{'name':'n','schema':{'a':1}}}", "",
	    "{'a':1}", "'n'");
	check_format("{'type':'json_schema','name':'n','schema':{}}", "", "{}", "'n'");
	check_format("{'schema':{}}", "", "{}", "");
	check_format("{'type':'object','name':'n'}", "", "{'type':'object','name':'n'}", "");
	check_no_format("{'type':'json_schema'}");
	check_no_format("{'type':'json_schema','json_schema':{'name':'n'}}");
	check_no_format("{'name':'n'}");
	check_no_format("'text'");
	check_no_format("null");
}

static void
check_choice(const char *text, enum definition_choice_kind kind, const char *name)
{
	struct definition_choice choice;

	if (!CHECK(definition_read_choice(parsed_str(quoted(text)), &choice)) ||
	    !CHECK(choice.kind == kind))
		printf("    of %s\n", text);
	check_value(choice.name, name);
}

static void
check_no_choice(const char *text)
{
	struct definition_choice choice;

	if (!CHECK(!definition_read_choice(parsed_str(quoted(text)), &choice)))
		printf("    of %s\n", text);
}

static void
test_choices(void)
{
	struct definition_choice choice;

	check_choice("null", DEFINITION_CHOICE_ABSENT, "");
	check_choice("'auto'", DEFINITION_CHOICE_AUTO, "");
	check_choice("'none'", DEFINITION_CHOICE_NONE, "");
	check_choice("'required'", DEFINITION_CHOICE_ANY, "");
	check_choice("{'type':'any'}", DEFINITION_CHOICE_ANY, "");
	check_choice("{'type':'tool','name':'f'}", DEFINITION_CHOICE_TOOL, "'f'");
	check_choice("{'type':'function','function':{'name':'f'}}", DEFINITION_CHOICE_TOOL, "'f'");
	check_choice("{'type':'custom','custom':{'name':'f'}}", DEFINITION_CHOICE_TOOL, "'f'");
	check_choice("{'name':'f'}", DEFINITION_CHOICE_TOOL, "'f'");
	check_choice("{'type':'allowed_tools','tools':[]}", DEFINITION_CHOICE_SOME, "");
	check_no_choice("'tool'");
	check_no_choice("{'type':'tool','name':''}");
	check_no_choice("{'type':'function','function':{}}");
	check_no_choice("'allowed_tools'");
	check_no_choice("'perhaps'");
	check_no_choice("{'type':'perhaps'}");
	check_no_choice("7");

	CHECK(definition_read_choice(
	    parsed_str(quoted("{'type':'custom','name':'f','disable_parallel_tool_use':true}")),
	    &choice));
	CHECK(choice.is_custom && choice.is_serial);
	CHECK(definition_read_choice(parsed_str(quoted("{'type':'auto'}")), &choice));
	CHECK(!choice.is_custom && !choice.is_serial);
}

int
main(void)
{
	test_tools();
	test_lists();
	test_formats();
	test_choices();
	arena_free(&padded_arena);
	return unit_end();
}
