#include "dialects/gemini/gemini_rules.h"

#include "dialects/gemini/gemini_writer.h"
#include "dialects/parts/name.h"
#include "json/string.h"
#include "json/write.h"

enum { BY_USER = 1, BY_MODEL = 2 };

/* The kinds of a part: the member, the roles that may send it, and the type of its value. */
static const struct {
	struct str name;
	int by;
	enum json_type type;
} part_rules[] = {
    {STR_INIT("text"), BY_USER | BY_MODEL, JSON_STRING},
    {STR_INIT("inlineData"), BY_USER | BY_MODEL, JSON_OBJECT},
    {STR_INIT("fileData"), BY_USER | BY_MODEL, JSON_OBJECT},
    {STR_INIT("functionCall"), BY_MODEL, JSON_OBJECT},
    {STR_INIT("functionResponse"), BY_USER, JSON_OBJECT},
    {STR_INIT("executableCode"), BY_MODEL, JSON_OBJECT},
    {STR_INIT("codeExecutionResult"), BY_USER | BY_MODEL, JSON_OBJECT},
    {STR_INIT("toolCall"), BY_MODEL, JSON_OBJECT},
    {STR_INIT("toolResponse"), BY_USER | BY_MODEL, JSON_OBJECT},
};

/* Members that a part may have beside that one. */
static const struct str beside[] = {STR_INIT("thought"), STR_INIT("thoughtSignature"),
    STR_INIT("videoMetadata"), STR_INIT("mediaResolution"), STR_INIT("partMetadata")};

static bool
is_model(struct json_value content)
{
	return json_is(json_find(content, STR("role")), STR("model"));
}

static bool
is_function_name(struct json_value name)
{
	return name_is_plain(name, GEMINI_NAME_MAX) && name.ptr[1] != '-' &&
	    (name.ptr[1] < '0' || name.ptr[1] > '9');
}

/* A call, or a result with the object that it has. */
static void
refuse_function(struct json_value part, struct refusals *refusals)
{
	struct json_value call = json_find(part, STR("functionCall"));
	struct json_value function =
	    call.type == JSON_OBJECT ? call : json_find(part, STR("functionResponse"));
	struct json_value id = json_find(function, STR("id"));
	struct json_value name = json_find(function, STR("name"));
	struct json_value args = json_find(call, STR("args"));

	if (function.type != JSON_OBJECT)
		return;
	if (!is_function_name(name))
		refusals_add(refusals, VIOLATION_BAD_NAME, name);
	if (id.type != JSON_ABSENT && id.type != JSON_STRING)
		refusals_add(refusals, VIOLATION_BAD_ID, id);
	if ((call.type == JSON_OBJECT && args.type != JSON_ABSENT && args.type != JSON_OBJECT) ||
	    (call.type != JSON_OBJECT && json_find(function, STR("response")).type != JSON_OBJECT))
		refusals_add(refusals, VIOLATION_BAD_CALL, name);
}

/* A part has one member of the first table, and others only of the second one. */
static void
refuse_part(struct json_value part, int by, struct refusals *refusals)
{
	struct str names[ARRAY_COUNT(part_rules) + ARRAY_COUNT(beside)];
	struct json_value text = json_find(part, STR("text"));
	unsigned found = 0;

	for (unsigned i = 0; i < ARRAY_COUNT(part_rules); i++) {
		struct json_value value = json_find(part, part_rules[i].name);

		names[i] = part_rules[i].name;
		if (value.type != JSON_ABSENT)
			found += value.type == part_rules[i].type && (part_rules[i].by & by) != 0 ?
			    1 :
			    2;
	}
	memcpy(names + ARRAY_COUNT(part_rules), beside, sizeof beside);
	if (part.type != JSON_OBJECT || found != 1) {
		refusals_add(refusals, VIOLATION_BAD_PART, part);
		return;
	}
	refusals_add_unknown(refusals, part, names, ARRAY_COUNT(names));
	if (text.type == JSON_STRING && text.len <= 2 && !json_has(part, STR("thoughtSignature")))
		refusals_add(refusals, VIOLATION_BAD_CONTENT, text);
	refuse_function(part, refusals);
}

void
gemini_rules_judge(const struct message *message, struct refusals *refusals)
{
	static const struct str names[] = {STR_INIT("role"), STR_INIT("parts")};
	struct json_value content = message->value, parts = json_find(content, STR("parts"));
	struct json_value role = json_find(content, STR("role"));
	unsigned count = 0;

	if (role.type != JSON_ABSENT && !is_model(content) && !json_is(role, STR("user")) &&
	    !json_is(role, STR("system")))
		refusals_add(refusals, VIOLATION_UNKNOWN_ROLE, role);
	refusals_add_unknown(refusals, content, names, ARRAY_COUNT(names));
	for (struct json_walk walk = json_walk_list(parts); json_walk_next(&walk); count++)
		refuse_part(walk.value, is_model(content) ? BY_MODEL : BY_USER, refusals);
	if (count == 0)
		refusals_add(refusals, VIOLATION_BAD_CONTENT, parts);
}

/* The id of the call or of the result; without one, its name and its number among the functions of
 * its group that have no id. */
static struct json_value
find_id(struct json_value function, uint64_t group, unsigned *nameless, struct buf *made)
{
	struct json_value id = json_find(function, STR("id"));
	struct json_value name = json_find(function, STR("name"));

	if (id.type == JSON_STRING || name.type != JSON_STRING)
		return id;
	buf_set(made, STR("\""));
	buf_add_str(made, json_inner(name));
	buf_add_fmt(made, " %u of %ju\"", ++*nameless, (uintmax_t)group);
	return json_written(made, 0);
}

/* Notes the functions under that name. */
static void
follow_parts(struct talk *talk, struct inspection *inspection, struct json_value parts,
    struct str name, void (*add)(struct talk *, struct inspection *, struct json_value))
{
	struct buf made = BUF_INIT;
	unsigned nameless = 0;

	for (struct json_walk walk = json_walk_list(parts); json_walk_next(&walk);) {
		struct json_value function = json_find(walk.value, name);

		if (function.type == JSON_OBJECT)
			add(talk, inspection, find_id(function, talk->group, &nameless, &made));
	}
	buf_free(&made);
}

void
gemini_rules_follow(struct talk *talk, struct inspection *inspection, struct json_value content)
{
	struct json_value role = json_find(content, STR("role"));
	struct json_value parts = json_find(content, STR("parts"));
	enum role now = is_model(content) ? ROLE_ASSISTANT : ROLE_USER;

	if (json_is(role, STR("system"))) {
		if (talk->is_begun || talk->is_body)
			inspection_find(inspection, VIOLATION_SYSTEM_IN_MIDST, role);
		return;
	}
	if (now == talk->last)
		inspection_find(inspection, VIOLATION_SAME_ROLE, role);
	if (now == ROLE_ASSISTANT && !talk->is_begun)
		inspection_find(inspection, VIOLATION_ASSISTANT_FIRST, role);
	follow_parts(talk, inspection, parts, STR("functionResponse"), talk_add_result);
	talk_close_calls(talk, inspection);
	talk->group++;
	follow_parts(talk, inspection, parts, STR("functionCall"), talk_add_call);
	talk->is_begun = true;
	talk->last = now;
}
