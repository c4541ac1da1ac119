#include "dialects/anthropic/anthropic_rules.h"

#include "dialects/parts/name.h"
#include "json/string.h"
#include "json/write.h"

enum {
	BY_USER = 1 << ROLE_USER,
	BY_ASSISTANT = 1 << ROLE_ASSISTANT,
	BY_SYSTEM = 1 << ROLE_SYSTEM,
	IN_RESULT = 1 << ROLE_TOOL,
	NAMES_MAX = 6,
};

/* A type of block: where it is allowed, and its members, the required one first. A type without
 * members is a block of a server's tools, which have many forms. */
struct block_rule {
	struct str type;
	int roles;
	enum json_type needed;
	struct str names[NAMES_MAX];
};

static const struct block_rule block_rules[] = {
    {STR_INIT("text"), BY_USER | BY_ASSISTANT | BY_SYSTEM | IN_RESULT, JSON_STRING,
	{STR_INIT("text"), STR_INIT("citations"), STR_INIT("cache_control")}},
    {STR_INIT("image"), BY_USER | IN_RESULT, JSON_OBJECT,
	{STR_INIT("source"), STR_INIT("cache_control")}},
    {STR_INIT("document"), BY_USER | IN_RESULT, JSON_OBJECT,
	{STR_INIT("source"), STR_INIT("title"), STR_INIT("context"), STR_INIT("citations"),
	    STR_INIT("cache_control")}},
    {STR_INIT("search_result"), BY_USER | IN_RESULT, JSON_STRING,
	{STR_INIT("source"), STR_INIT("title"), STR_INIT("content"), STR_INIT("citations"),
	    STR_INIT("cache_control")}},
    {STR_INIT("container_upload"), BY_USER, JSON_STRING,
	{STR_INIT("file_id"), STR_INIT("cache_control")}},
    {STR_INIT("tool_result"), BY_USER, JSON_STRING,
	{STR_INIT("tool_use_id"), STR_INIT("content"), STR_INIT("is_error"),
	    STR_INIT("cache_control")}},
    {STR_INIT("tool_reference"), IN_RESULT, JSON_STRING,
	{STR_INIT("tool_name"), STR_INIT("cache_control")}},
    {STR_INIT("thinking"), BY_ASSISTANT, JSON_STRING,
	{STR_INIT("signature"), STR_INIT("thinking")}},
    {STR_INIT("redacted_thinking"), BY_ASSISTANT, JSON_STRING, {STR_INIT("data")}},
    {STR_INIT("tool_use"), BY_ASSISTANT, JSON_OBJECT,
	{STR_INIT("input"), STR_INIT("id"), STR_INIT("name"), STR_INIT("caller"),
	    STR_INIT("cache_control")}},
    {STR_INIT("server_tool_use"), BY_ASSISTANT, JSON_ABSENT, {STR_INIT("")}},
    {STR_INIT("mcp_tool_use"), BY_ASSISTANT, JSON_ABSENT, {STR_INIT("")}},
    {STR_INIT("compaction"), BY_ASSISTANT, JSON_ABSENT, {STR_INIT("")}},
};

/* The rule for the type of the block, or NULL. The results of a server's tools have types of their
 * own, such as web_search_tool_result, and are in the message of the assistant. */
static const struct block_rule *
find_rule(struct json_value block)
{
	static const struct block_rule server_result = {.roles = BY_ASSISTANT};
	static const struct str end = STR_INIT("_tool_result");
	struct json_value type = json_find(block, STR("type"));
	struct str name;

	if (type.type != JSON_STRING)
		return NULL;
	for (unsigned i = 0; i < ARRAY_COUNT(block_rules); i++)
		if (json_is(type, block_rules[i].type))
			return &block_rules[i];
	name = json_inner(type);
	if (name.len > end.len && memcmp(name.ptr + name.len - end.len, end.ptr, end.len) == 0)
		return &server_result;
	return NULL;
}

/* Whether the source has a type, and the member that this type requires. */
static bool
is_source(struct json_value source)
{
	static const struct {
		struct str type;
		struct str names[2];
	} kinds[] = {
	    {STR_INIT("base64"), {STR_INIT("media_type"), STR_INIT("data")}},
	    {STR_INIT("text"), {STR_INIT("media_type"), STR_INIT("data")}},
	    {STR_INIT("url"), {STR_INIT("url"), STR_INIT("type")}},
	    {STR_INIT("file"), {STR_INIT("file_id"), STR_INIT("type")}},
	    {STR_INIT("content"), {STR_INIT("content"), STR_INIT("type")}},
	};

	for (unsigned i = 0; i < ARRAY_COUNT(kinds); i++)
		if (json_has_type(source, kinds[i].type))
			return json_find(source, kinds[i].names[0]).type >= JSON_STRING &&
			    json_find(source, kinds[i].names[1]).type >= JSON_STRING;
	return false;
}

static void
refuse_id(struct json_value id, struct refusals *refusals)
{
	if (!name_is_plain(id, SIZE_MAX))
		refusals_add(refusals, VIOLATION_BAD_ID, id);
}

static void refuse_block(struct json_value block, enum role role, struct refusals *refusals);

static void
refuse_result(struct json_value block, struct refusals *refusals)
{
	struct json_value content = json_find(block, STR("content"));
	struct json_value is_error = json_find(block, STR("is_error"));

	refuse_id(json_find(block, STR("tool_use_id")), refusals);
	if (is_error.type != JSON_ABSENT && !json_is_bool(is_error))
		refusals_add(refusals, VIOLATION_BAD_CONTENT, is_error);
	if (content.type != JSON_ABSENT && content.type != JSON_STRING &&
	    content.type != JSON_ARRAY)
		refusals_add(refusals, VIOLATION_BAD_CONTENT, content);
	for (struct json_walk walk = json_walk_list(content); json_walk_next(&walk);)
		refuse_block(walk.value, ROLE_TOOL, refusals);
}

static void
refuse_use(struct json_value block, struct refusals *refusals)
{
	struct json_value name = json_find(block, STR("name"));

	refuse_id(json_find(block, STR("id")), refusals);
	if (!name_is_plain(name, ANTHROPIC_NAME_MAX))
		refusals_add(refusals, VIOLATION_BAD_NAME, name);
}

static void
refuse_block(struct json_value block, enum role role, struct refusals *refusals)
{
	const struct block_rule *rule = block.type == JSON_OBJECT ? find_rule(block) : NULL;
	struct json_value type = json_find(block, STR("type")), needed;
	struct str names[NAMES_MAX + 1] = {STR("type")};

	if (rule == NULL || (rule->roles >> role & 1) == 0) {
		refusals_add(refusals, VIOLATION_BAD_PART, type.len > 0 ? type : block);
		return;
	}
	if (rule->needed == JSON_ABSENT)
		return;
	needed = json_find(block, rule->names[0]);
	memcpy(names + 1, rule->names, sizeof rule->names);
	refusals_add_unknown(refusals, block, names, ARRAY_COUNT(names));
	if (json_has_type(block, STR("text")) && needed.type == JSON_STRING &&
	    json_is_blank(needed))
		refusals_add(refusals, VIOLATION_BAD_CONTENT, needed);
	else if (json_has_type(block, STR("tool_result")))
		refuse_result(block, refusals);
	else if (json_has_type(block, STR("tool_use")))
		refuse_use(block, refusals);
	if (needed.type != rule->needed || (needed.type == JSON_STRING && needed.len <= 2) ||
	    ((json_has_type(block, STR("image")) || json_has_type(block, STR("document"))) &&
		!is_source(needed)))
		refusals_add(refusals, VIOLATION_BAD_PART, type);
}

uint64_t
anthropic_rules_refuse_block(struct json_value block, enum role role)
{
	struct refusals refusals;

	refusals.found = 0;
	refuse_block(block, role, &refusals);
	return refusals.found;
}

void
anthropic_rules_write_block(struct json_value block, struct buf *buf)
{
	const struct block_rule *rule = find_rule(block);
	struct json_writer w;

	json_begin(&w, buf, '{');
	json_member_value(&w, STR("type"), json_find(block, STR("type")));
	for (unsigned i = 0; i < NAMES_MAX && rule->names[i].len > 0; i++)
		json_member_value(&w, rule->names[i], json_find(block, rule->names[i]));
	json_close(&w);
}

void
anthropic_rules_judge(const struct message *message, struct refusals *refusals)
{
	static const struct str names[] = {STR_INIT("role"), STR_INIT("content")};
	struct json_value content = message->content;
	unsigned count = 0;

	if (message->role != ROLE_USER && message->role != ROLE_ASSISTANT &&
	    message->role != ROLE_SYSTEM) {
		refusals_add(refusals, VIOLATION_UNKNOWN_ROLE, message->role_value);
		return;
	}
	refusals_add_unknown(refusals, message->value, names, ARRAY_COUNT(names));
	for (struct json_walk walk = json_walk_list(content); json_walk_next(&walk); count++)
		refuse_block(walk.value, message->role, refusals);
	if (count == 0 && (content.type != JSON_STRING || json_is_blank(content)))
		refusals_add(refusals, VIOLATION_BAD_CONTENT, content);
}
