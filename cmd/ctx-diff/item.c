#include "item.h"

#include "dialects/likeness.h"
#include "json/string.h"

bool
item_is_request(struct json_value value)
{
	struct json_value input = json_find(value, STR("input"));
	const char *name;

	if (value.type != JSON_OBJECT || (input.type != JSON_STRING && input.type != JSON_ARRAY))
		return false;
	name = likeness_name(value);
	return name != NULL && strcmp(name, "responses") == 0;
}

static bool
has_suffix(struct json_value value, struct str suffix)
{
	return value.type == JSON_STRING && str_has_suffix(json_inner(value), suffix);
}

/* The call of a tool: its name, and its arguments under the name of the item's type. */
static bool
read_call(struct json_value item, struct message *message)
{
	struct tool_call call = {.value = item, .name = json_find(item, STR("name"))};

	call.arguments = json_find(item, STR("arguments"));
	if (call.arguments.type == JSON_ABSENT)
		call.arguments = json_find(item, STR("input"));
	if (!has_suffix(message->role_value, STR("_call")) || call.name.type != JSON_STRING ||
	    call.arguments.type == JSON_ABSENT)
		return false;
	message_set_call(message, &call);
	return true;
}

/* The texts of reasoning, or the summary that stands for them. */
static struct json_value
find_reasoning(struct json_value item)
{
	struct json_value content = json_find(item, STR("content"));

	return json_first(content).type != JSON_ABSENT ? content : json_find(item, STR("summary"));
}

void
item_read(struct json_value item, struct message *message)
{
	if (json_find(item, STR("role")).type == JSON_STRING) {
		message_reread(message, json_span(item));
		return;
	}
	*message = (struct message){
	    .kind = RECORD_MESSAGE, .value = item, .role_value = json_find(item, STR("type"))};
	if (read_call(item, message))
		return;
	if (json_is(message->role_value, STR("reasoning")))
		message->content = find_reasoning(item);
	else if (has_suffix(message->role_value, STR("_output")))
		message->content = json_find(item, STR("output"));
	if (message->content.type == JSON_ABSENT)
		message->content = item;
}
