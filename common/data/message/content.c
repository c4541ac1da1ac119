#include "data/message/content.h"

#include "data/message/part.h"
#include "json/string.h"

bool
message_is_blank(const struct message *message)
{
	struct part part;

	if ((message->refusal.type == JSON_STRING && !json_is_blank(message->refusal)) ||
	    (message->result_text.type == JSON_STRING && !json_is_blank(message->result_text)))
		return false;
	if (message->content.type == JSON_STRING)
		return json_is_blank(message->content);
	if (message->content.type != JSON_ARRAY)
		return message->content.type <= JSON_NULL;
	for (struct json_walk walk = json_walk_of(message->content); json_walk_next(&walk);) {
		part_read(walk.value, &part);
		if (!part_is_blank(&part))
			return false;
	}
	return true;
}

bool
message_name_holds_content(struct json_value name)
{
	static const struct str holders[] = {STR_INIT("content"), STR_INIT("tool_calls"),
	    STR_INIT("tool_call_id"), STR_INIT("function_call"), STR_INIT("tool_result"),
	    STR_INIT("refusal"), STR_INIT("reasoning_content"), STR_INIT("audio")};

	return JSON_IS_ONE_OF(name, holders);
}

/* Whether some member of the object has content. Sets says_more when another member has anything
 * other than the speaker. */
static bool
has_content(struct json_value object, bool *says_more)
{
	static const struct str frame[] = {STR_INIT("role"), STR_INIT("name"), STR_INIT("type"),
	    STR_INIT("id"), STR_INIT("parentId"), STR_INIT("createdAt"), STR_INIT("metadata"),
	    STR_INIT("_metadata")};

	for (struct json_walk walk = json_walk_of(object); json_walk_next(&walk);) {
		if (message_name_holds_content(walk.name))
			return true;
		if (walk.value.type > JSON_NULL && !JSON_IS_ONE_OF(walk.name, frame))
			*says_more = true;
	}
	return false;
}

/* Whether the content is null, an empty string or an empty array, and the text is where other
 * formats have it. */
static bool
speaks_beside(const struct message *message)
{
	struct json_value parts, text;

	/* The common case first, without a walk over the members. */
	if (message_has_calls(message) || !message_is_blank(message))
		return false;
	parts = json_find(message->value, STR("parts"));
	text = json_find(message->value, STR("text"));
	return (parts.type == JSON_ARRAY && json_has_elements(parts)) ||
	    (text.type == JSON_STRING && !json_is_blank(text));
}

bool
message_is_unknown(const struct message *message)
{
	bool says_more = false, ignored;

	if (message_has_text(message) || message->tool_call_id.type != JSON_ABSENT)
		return false;
	if (message->content.type != JSON_ABSENT)
		return speaks_beside(message);
	if (message->tool_calls.type != JSON_ABSENT)
		return false;
	return !has_content(message->value, &says_more) && says_more &&
	    !has_content(message->metadata, &ignored);
}
