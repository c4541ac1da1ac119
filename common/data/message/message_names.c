#include "data/message/message_names.h"

#include "json/scan.h"

static const struct str metadata_list[METADATA_COUNT] = {
    [METADATA_ORIGIN] = STR_INIT("origin"),
    [METADATA_EXECUTION_ID] = STR_INIT("execution_id"),
    [METADATA_TOOL_NAME] = STR_INIT("tool_name"),
    [METADATA_IS_TRACE] = STR_INIT("is_trace"),
    [METADATA_IS_ERROR] = STR_INIT("is_error"),
    [METADATA_RESOLVED] = STR_INIT("resolved"),
    [METADATA_RESOLVES] = STR_INIT("resolves"),
    [METADATA_PINNED] = STR_INIT("pinned"),
    [METADATA_CRITICAL] = STR_INIT("critical"),
    [METADATA_COMPACTED] = STR_INIT("compacted"),
    [METADATA_ARCHIVED] = STR_INIT("archived"),
    [METADATA_PASS] = STR_INIT("pass"),
    [METADATA_CALL_KEYS] = STR_INIT("call_keys"),
    [METADATA_KIND] = STR_INIT("kind"),
    [METADATA_SCOPE] = STR_INIT("scope"),
    [METADATA_FACTS] = STR_INIT("facts"),
    [METADATA_SECTION] = STR_INIT("section"),
    [METADATA_SESSION_ID] = STR_INIT("session_id"),
    [METADATA_AGENT_ID] = STR_INIT("agent_id"),
    [METADATA_PARENT_EXECUTION_ID] = STR_INIT("parent_execution_id"),
    [METADATA_TIMESTAMP] = STR_INIT("timestamp"),
    [METADATA_USAGE] = STR_INIT("usage"),
    [METADATA_ID] = STR_INIT("id"),
    [METADATA_PARENT_ID] = STR_INIT("parent_id"),
    [METADATA_FORGETS] = STR_INIT("forgets"),
    [METADATA_TOKENS] = STR_INIT("tokens"),
    [METADATA_MODEL] = STR_INIT("model"),
    [METADATA_TOOL_CALLS] = STR_INIT("tool_calls"),
    [METADATA_TOOL_CALL_ID] = STR_INIT("tool_call_id"),
    [METADATA_TOOL_RESULT] = STR_INIT("tool_result"),
};

static const struct str role_list[] = {
    [ROLE_SYSTEM] = STR_INIT("system"),
    [ROLE_DEVELOPER] = STR_INIT("developer"),
    [ROLE_USER] = STR_INIT("user"),
    [ROLE_ASSISTANT] = STR_INIT("assistant"),
    [ROLE_TOOL] = STR_INIT("tool"),
};

static const struct str origin_list[] = {
    [ORIGIN_USER] = STR_INIT("user"),
    [ORIGIN_ASSISTANT] = STR_INIT("assistant"),
    [ORIGIN_TOOL_CALL] = STR_INIT("tool_call"),
    [ORIGIN_TOOL_RESULT] = STR_INIT("tool_result"),
    [ORIGIN_SUMMARY] = STR_INIT("summary"),
    [ORIGIN_SYSTEM] = STR_INIT("system"),
    [ORIGIN_ERROR] = STR_INIT("error"),
    [ORIGIN_INJECTED] = STR_INIT("injected"),
};

enum {
	ROLE_COUNT = sizeof role_list / sizeof role_list[0],
	ORIGIN_COUNT = sizeof origin_list / sizeof origin_list[0]
};

/* Filled once, read-only afterwards. Names of roles and of origins begin at 1: the first of each is
 * that of none. */
static struct json_names metadata_names, role_names, origin_names;

void
message_names_init(void)
{
	JSON_NAMES_INIT(&metadata_names, metadata_list, METADATA_COUNT);
	JSON_NAMES_INIT(&role_names, role_list + 1, ROLE_COUNT - 1);
	JSON_NAMES_INIT(&origin_names, origin_list + 1, ORIGIN_COUNT - 1);
}

struct str
role_name(enum role role)
{
	return role_list[role];
}

struct str
metadata_name_text(enum metadata_name name)
{
	return metadata_list[name];
}

struct str
origin_name(enum origin origin)
{
	return origin_list[origin];
}

enum role
role_of(struct json_value name)
{
	return (enum role)(json_name_index(&role_names, name) + 1);
}

enum origin
origin_of(struct json_value name)
{
	return (enum origin)(json_name_index(&origin_names, name) + 1);
}

void
metadata_pick(struct json_value object, struct json_value meta[METADATA_COUNT])
{
	json_pick(object, &metadata_names, meta);
}
