#include "dialects/responses/responses_rules.h"

#include "dialects/parts/name.h"
#include "dialects/responses/responses_writer.h"
#include "json/string.h"

enum {
	BY_USER = 1 << ROLE_USER | 1 << ROLE_SYSTEM | 1 << ROLE_DEVELOPER,
	BY_ASSISTANT = 1 << ROLE_ASSISTANT,
	IN_OUTPUT = 1 << ROLE_TOOL,
	NAMES_MAX = 7,
};

/* A type of part or item: where it is allowed, and its members, of which one of the first must be a
 * string. */
struct rule {
	struct str type;
	int roles;
	unsigned needed;
	struct str names[NAMES_MAX];
};

static const struct rule part_rules[] = {
    {STR_INIT("input_text"), BY_USER | IN_OUTPUT, 1, {STR_INIT("text")}},
    {STR_INIT("input_image"), BY_USER | IN_OUTPUT, 2,
	{STR_INIT("image_url"), STR_INIT("file_id"), STR_INIT("detail")}},
    {STR_INIT("input_file"), BY_USER | IN_OUTPUT, 3,
	{STR_INIT("file_data"), STR_INIT("file_url"), STR_INIT("file_id"), STR_INIT("filename"),
	    STR_INIT("detail")}},
    {STR_INIT("input_audio"), BY_USER, 0, {STR_INIT("input_audio")}},
    {STR_INIT("output_text"), BY_ASSISTANT, 1,
	{STR_INIT("text"), STR_INIT("annotations"), STR_INIT("logprobs")}},
    {STR_INIT("refusal"), BY_ASSISTANT, 1, {STR_INIT("refusal")}},
};

static const struct rule item_rules[] = {
    {STR_INIT("message"), 0, 1,
	{STR_INIT("role"), STR_INIT("content"), STR_INIT("id"), STR_INIT("status"),
	    STR_INIT("phase")}},
    {STR_INIT("function_call"), 0, 1,
	{STR_INIT("arguments"), STR_INIT("call_id"), STR_INIT("name"), STR_INIT("id"),
	    STR_INIT("status"), STR_INIT("namespace"), STR_INIT("caller")}},
    {STR_INIT("function_call_output"), 0, 1,
	{STR_INIT("call_id"), STR_INIT("output"), STR_INIT("id"), STR_INIT("status"),
	    STR_INIT("caller")}},
    {STR_INIT("reasoning"), 0, 0,
	{STR_INIT("id"), STR_INIT("summary"), STR_INIT("content"), STR_INIT("encrypted_content"),
	    STR_INIT("status")}},
};

static const struct rule *
find_rule(const struct rule *rule, unsigned count, struct json_value type)
{
	for (unsigned i = 0; i < count; i++)
		if (json_is(type, rule[i].type))
			return &rule[i];
	return NULL;
}

/* Refuses members that the rule does not know. Returns whether the required ones exist. */
static bool
keeps_rule(const struct rule *rule, struct json_value value, struct refusals *refusals)
{
	struct str names[NAMES_MAX + 1] = {STR("type")};
	bool is_there = rule->needed == 0;

	memcpy(names + 1, rule->names, sizeof rule->names);
	refusals_add_unknown(refusals, value, names, ARRAY_COUNT(names));
	for (unsigned i = 0; i < rule->needed; i++)
		is_there |= json_find(value, rule->names[i]).type == JSON_STRING;
	return is_there;
}

static void
refuse_content(struct json_value content, enum role role, struct refusals *refusals)
{
	unsigned count = 0;

	for (struct json_walk walk = json_walk_list(content); json_walk_next(&walk); count++) {
		struct json_value type = json_find(walk.value, STR("type"));
		const struct rule *rule = find_rule(part_rules, ARRAY_COUNT(part_rules), type);

		if (rule == NULL || (rule->roles >> role & 1) == 0 ||
		    !keeps_rule(rule, walk.value, refusals))
			refusals_add(refusals, VIOLATION_BAD_PART,
			    type.type == JSON_STRING ? type : walk.value);
	}
	if (content.type != JSON_STRING && count == 0)
		refusals_add(refusals, VIOLATION_BAD_CONTENT, content);
}

static void
refuse_id(struct json_value id, struct refusals *refusals)
{
	if (id.type != JSON_STRING || id.len <= 2 || id.len - 2 > RESPONSES_ID_MAX)
		refusals_add(refusals, VIOLATION_BAD_ID, id);
}

static void
refuse_message(const struct message *message, struct refusals *refusals)
{
	/* Of an item without a role nothing but its value is read. */
	if (message->kind != RECORD_MESSAGE)
		refusals_add(
		    refusals, VIOLATION_UNKNOWN_ROLE, json_find(message->value, STR("role")));
	else if (message->role == ROLE_OTHER || message->role == ROLE_TOOL)
		refusals_add(refusals, VIOLATION_UNKNOWN_ROLE, message->role_value);
	else
		refuse_content(message->content, message->role, refusals);
}

void
responses_rules_judge(const struct message *message, struct refusals *refusals)
{
	struct json_value item = message->value, type = json_find(item, STR("type"));
	struct json_value name = json_find(item, STR("name"));
	bool has_role = json_has(item, STR("role"));
	const struct rule *rule = type.type == JSON_ABSENT && has_role ?
	    &item_rules[0] :
	    find_rule(item_rules, ARRAY_COUNT(item_rules), type);

	if (rule == NULL) {
		if (type.type != JSON_STRING || has_role)
			refusals_add(refusals, VIOLATION_NO_MESSAGE, type);
		return;
	}
	if (!keeps_rule(rule, item, refusals))
		refusals_add(refusals, VIOLATION_BAD_CALL, json_find(item, rule->names[0]));
	if (rule == &item_rules[0]) {
		refuse_message(message, refusals);
	} else if (rule != &item_rules[3]) {
		refuse_id(json_find(item, STR("call_id")), refusals);
		if (rule == &item_rules[1] && !name_is_plain(name, RESPONSES_NAME_MAX))
			refusals_add(refusals, VIOLATION_BAD_NAME, name);
		if (rule == &item_rules[2])
			refuse_content(json_find(item, STR("output")), ROLE_TOOL, refusals);
	} else if (json_find(item, STR("summary")).type != JSON_ARRAY) {
		refusals_add(refusals, VIOLATION_BAD_CONTENT, type);
	}
}

/* Every call must have its output somewhere after it. */
void
responses_rules_follow(struct talk *talk, struct inspection *inspection, struct json_value item)
{
	struct json_value type = json_find(item, STR("type")), id = json_find(item, STR("call_id"));

	if (type.type != JSON_STRING || id.type != JSON_STRING)
		return;
	if (str_has_suffix(json_inner(type), STR("_call")))
		talk_add_call(talk, inspection, id);
	else if (str_has_suffix(json_inner(type), STR("_call_output")))
		talk_add_result(talk, inspection, id);
}
