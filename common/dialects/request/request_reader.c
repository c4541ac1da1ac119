#include "dialects/request/request_reader.h"

#include "dialects/request/definition.h"
#include "json/string.h"
#include "json/write.h"

/* The format of the answer, which Anthropic has in output_config. */
static struct json_value
find_format(struct json_value request)
{
	struct json_value format = json_find(request, STR("response_format"));

	return format.type == JSON_OBJECT ?
	    format :
	    json_find(json_find(request, STR("output_config")), STR("format"));
}

/* Whether the member has a place outside metadata.request; tools are the tools of the context
 * record. */
static bool
is_held_elsewhere(struct json_value name, struct json_value value, struct json_value tools)
{
	return (tools.type == JSON_ARRAY &&
		   (json_is(name, STR("tools")) || json_is(name, STR("functions")))) ||
	    (json_is(name, STR("response_format")) && value.type == JSON_OBJECT) ||
	    (json_is(name, STR("system")) &&
		(value.type == JSON_STRING || value.type == JSON_ARRAY)) ||
	    (json_is(name, STR("instructions")) && value.type == JSON_STRING) ||
	    ((json_is(name, STR("systemInstruction")) ||
		 json_is(name, STR("system_instruction"))) &&
		(value.type == JSON_STRING || value.type == JSON_OBJECT));
}

/* Puts output_config without its format; nothing when it has no other member. */
static void
put_config(struct json_writer *w, struct json_value config)
{
	bool is_open = false;

	for (struct json_walk walk = json_walk_of(config); json_walk_next(&walk);) {
		if (json_is(walk.name, STR("format")) && walk.value.type == JSON_OBJECT)
			continue;
		if (!is_open) {
			json_member_open(w, STR("output_config"), '{');
		}
		is_open = true;
		json_put_member(w, walk.name, walk.value);
	}
	if (is_open)
		json_close(w);
}

/* Puts the other members as metadata.request. */
static void
put_others(
    struct json_writer *w, struct json_value request, struct str messages, struct json_value tools)
{
	json_member_open(w, STR("metadata"), '{');
	json_member_open(w, STR("request"), '{');
	for (struct json_walk walk = json_walk_of(request); json_walk_next(&walk);)
		if (json_is(walk.name, STR("output_config")) && walk.value.type == JSON_OBJECT)
			put_config(w, walk.value);
		else if (!json_is(walk.name, messages) &&
		    !is_held_elsewhere(walk.name, walk.value, tools))
			json_put_member(w, walk.name, walk.value);
	json_close(w);
	json_close(w);
}

/* The tools of a request. Old requests have functions, whose calls are read as calls of tools. */
static struct json_value
find_tools(struct json_value request, struct arena *arena)
{
	struct json_value tools = definition_tools(json_find(request, STR("tools")), arena);

	return tools.type == JSON_ARRAY ?
	    tools :
	    definition_tools(json_find(request, STR("functions")), arena);
}

bool
request_reader_context(struct json_value request, struct str messages, struct buf *text)
{
	static const struct str none = STR_INIT(",\"metadata\":{\"request\":{}}");
	struct arena arena = ARENA_INIT;
	struct json_value tools = find_tools(request, &arena);
	struct json_value format = find_format(request);
	struct json_writer w;
	bool is_empty;

	buf_reset(text);
	json_begin(&w, text, '{');
	json_member_string(&w, STR("type"), STR("context"));
	if (tools.type == JSON_ARRAY)
		json_member_value(&w, STR("tools"), tools);
	if (format.type == JSON_OBJECT)
		json_member_value(&w, STR("response_format"), format);
	put_others(&w, request, messages, tools);
	is_empty = text->len >= none.len &&
	    memcmp(text->ptr + text->len - none.len, none.ptr, none.len) == 0;
	if (is_empty)
		text->len -= none.len;
	json_close(&w);
	arena_free(&arena);
	return !is_empty || tools.type == JSON_ARRAY || format.type == JSON_OBJECT;
}
