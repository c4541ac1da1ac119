#include "dialects/openai/openai_rules.h"

#include "base/hash/map.h"
#include "dialects/parts/name.h"
#include "json/string.h"

static const struct str message_names[] = {STR_INIT("role"), STR_INIT("content"), STR_INIT("name")};
static const struct str assistant_names[] = {STR_INIT("role"), STR_INIT("content"),
    STR_INIT("tool_calls"), STR_INIT("name"), STR_INIT("refusal"), STR_INIT("audio")};
static const struct str tool_names[] = {
    STR_INIT("role"), STR_INIT("content"), STR_INIT("tool_call_id")};

enum { TAKES_ALL = ~0, TAKES_USER = 1 << ROLE_USER, TAKES_ASSISTANT = 1 << ROLE_ASSISTANT };

/* A type of part: the roles that may send it, and the member that holds all of it, which is a
 * string, or an object with these members. */
static const struct part_rule {
	struct str type;
	int roles;
	unsigned count; /* of names; 0: a string */
	struct str names[3];
} part_rules[] = {
    {STR_INIT("text"), TAKES_ALL, 0, {STR_INIT("")}},
    {STR_INIT("refusal"), TAKES_ASSISTANT, 0, {STR_INIT("")}},
    {STR_INIT("image_url"), TAKES_USER, 2, {STR_INIT("url"), STR_INIT("detail")}},
    {STR_INIT("input_audio"), TAKES_USER, 2, {STR_INIT("data"), STR_INIT("format")}},
    {STR_INIT("file"), TAKES_USER, 3,
	{STR_INIT("file_data"), STR_INIT("file_id"), STR_INIT("filename")}},
};

static void
refuse_part(struct json_value part, enum role role, struct refusals *refusals)
{
	struct json_value type = json_find(part, STR("type"));
	struct json_value held;

	for (unsigned i = 0; i < ARRAY_COUNT(part_rules); i++) {
		const struct part_rule *rule = &part_rules[i];
		const struct str names[] = {STR("type"), rule->type};

		if (!json_is(type, rule->type) || (rule->roles >> role & 1) == 0)
			continue;
		held = json_find(part, rule->type);
		if (held.type != (rule->count == 0 ? JSON_STRING : JSON_OBJECT))
			break;
		refusals_add_unknown(refusals, part, names, ARRAY_COUNT(names));
		if (rule->count > 0)
			refusals_add_unknown(refusals, held, rule->names, rule->count);
		return;
	}
	refusals_add(refusals, VIOLATION_BAD_PART, type.type == JSON_STRING ? type : part);
}

bool
openai_rules_takes_part(struct json_value part, enum role role)
{
	struct refusals refusals;

	refusals.found = 0;
	refuse_part(part, role, &refusals);
	return refusals.found == 0;
}

/* A content is a string or a list of parts that is not empty. Only the assistant may do without,
 * beside something else that it says. */
static void
refuse_content(const struct message *message, struct refusals *refusals)
{
	struct json_value content = message->content;
	unsigned count = 0;

	if (content.type == JSON_ABSENT || content.type == JSON_NULL) {
		if (message->role != ROLE_ASSISTANT ||
		    (message->tool_calls.type != JSON_ARRAY &&
			message->refusal.type != JSON_STRING &&
			json_find(message->value, STR("audio")).type != JSON_OBJECT))
			refusals_add(refusals, VIOLATION_BAD_CONTENT, content);
		return;
	}
	for (struct json_walk walk = json_walk_list(content); json_walk_next(&walk); count++)
		refuse_part(walk.value, message->role, refusals);
	if (content.type != JSON_STRING && count == 0)
		refusals_add(refusals, VIOLATION_BAD_CONTENT, content);
}

bool
openai_rules_takes_id(struct json_value id)
{
	return id.type == JSON_STRING && !id.escaped && id.len > 2 && id.len - 2 <= OPENAI_ID_MAX;
}

static void
refuse_id(struct json_value id, struct refusals *refusals)
{
	if (!openai_rules_takes_id(id))
		refusals_add(refusals, VIOLATION_BAD_ID, id);
}

/* A call has its name and its argument, a string, in an object that is named by its type. */
static void
refuse_call(struct json_value call, struct refusals *refusals)
{
	static const struct str function[] = {STR_INIT("name"), STR_INIT("arguments")};
	static const struct str custom[] = {STR_INIT("name"), STR_INIT("input")};
	struct json_value type = json_find(call, STR("type"));
	bool is_custom = json_is(type, STR("custom"));
	const struct str *inner = is_custom ? custom : function;
	const struct str names[] = {
	    STR("id"), STR("type"), is_custom ? STR("custom") : STR("function")};
	struct json_value held = json_find(call, names[2]);

	refuse_id(json_find(call, STR("id")), refusals);
	if ((!is_custom && !json_is(type, STR("function"))) || held.type != JSON_OBJECT ||
	    json_find(held, inner[1]).type != JSON_STRING)
		refusals_add(refusals, VIOLATION_BAD_CALL, json_find(held, inner[0]));
	if (!name_is_plain(json_find(held, inner[0]), OPENAI_NAME_MAX))
		refusals_add(refusals, VIOLATION_BAD_NAME, json_find(held, inner[0]));
	refusals_add_unknown(refusals, call, names, ARRAY_COUNT(names));
	refusals_add_unknown(refusals, held, inner, 2);
}

/* Ids are compared as they are spelled: escaped ones are refused anyway. */
static void
refuse_equal_ids(struct json_value calls, struct refusals *refusals)
{
	struct map seen = MAP_INIT;

	for (struct json_walk walk = json_walk_of(calls); json_walk_next(&walk);) {
		struct json_value id = json_find(walk.value, STR("id"));

		if (id.type == JSON_STRING &&
		    map_set(&seen, hash_bytes(json_inner(id), hash_seed(HASH_CALL_ID)), 1) !=
			MAP_NONE)
			refusals_add(refusals, VIOLATION_REPEATED_CALL_ID, id);
	}
	map_free(&seen);
}

static void
refuse_calls(const struct message *message, struct refusals *refusals)
{
	struct json_value calls = message->tool_calls;
	unsigned count = 0;

	if (calls.type == JSON_ABSENT)
		return;
	for (struct json_walk walk = json_walk_list(calls); json_walk_next(&walk); count++)
		refuse_call(walk.value, refusals);
	if (count == 0)
		refusals_add(refusals, VIOLATION_BAD_CALL, calls);
	if (count > 1)
		refuse_equal_ids(calls, refusals);
}

/* The refusal is text, the audio an object that names an earlier answer; both may be null. */
static void
refuse_assistant(const struct message *message, struct refusals *refusals)
{
	struct json_value audio = json_find(message->value, STR("audio"));

	refusals_add_unknown(
	    refusals, message->value, assistant_names, ARRAY_COUNT(assistant_names));
	refuse_calls(message, refusals);
	if (message->refusal.type > JSON_NULL && message->refusal.type != JSON_STRING)
		refusals_add(refusals, VIOLATION_BAD_CONTENT, message->refusal);
	if (audio.type > JSON_NULL && audio.type != JSON_OBJECT)
		refusals_add(refusals, VIOLATION_BAD_CONTENT, audio);
}

bool
openai_rules_takes_name(struct json_value name)
{
	if (name.type != JSON_STRING || name.escaped || name.len <= 2 ||
	    name.len - 2 > OPENAI_NAME_MAX)
		return false;
	for (size_t i = 1; i + 1 < name.len; i++)
		if (strchr(" <|/>", name.ptr[i]) != NULL)
			return false;
	return true;
}

void
openai_rules_judge(const struct message *message, struct refusals *refusals)
{
	switch (message->role) {
	case ROLE_OTHER:
		refusals_add(refusals, VIOLATION_UNKNOWN_ROLE, message->role_value);
		return;
	case ROLE_ASSISTANT:
		refuse_assistant(message, refusals);
		break;
	case ROLE_TOOL:
		refusals_add_unknown(refusals, message->value, tool_names, ARRAY_COUNT(tool_names));
		refuse_id(message->tool_call_id, refusals);
		break;
	default:
		refusals_add_unknown(
		    refusals, message->value, message_names, ARRAY_COUNT(message_names));
	}
	refuse_content(message, refusals);
	if (message->role != ROLE_TOOL && message->name.type != JSON_ABSENT &&
	    !openai_rules_takes_name(message->name))
		refusals_add(refusals, VIOLATION_BAD_NAME, message->name);
}
