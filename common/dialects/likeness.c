#include "dialects/likeness.h"

#include "dialects/dialect.h"

/* A member that the record, or an object in the record, must have; and the string with which its
 * value must begin. */
struct shape_member {
	/* The member that is the object, or a list that begins with it. NULL: the record. */
	const char *within;
	const char *name;  /* NULL: no condition */
	const char *value; /* beginning of the string; NULL: any value but null */
};

struct shape {
	const char *name;
	struct shape_member member[2];
};

/* The first shape that fits is taken. */
static const struct shape shapes[] = {
    {"qwen-code", {{NULL, "uuid", NULL}, {"message", "parts", NULL}}},
    {"codex", {{NULL, "type", "response_item"}, {NULL, "payload", NULL}}},
    {"codex", {{NULL, "type", "session_meta"}, {NULL, "payload", NULL}}},
    {"codex", {{NULL, "type", "event_msg"}, {NULL, "payload", NULL}}},
    {"codex", {{NULL, "type", "turn_context"}, {NULL, "payload", NULL}}},
    {"instructor", {{NULL, "type", "message"}, {NULL, "data", NULL}}},
    {"instructor", {{NULL, "messageStore", NULL}, {NULL, NULL, NULL}}},
    {"pi", {{NULL, "type", "message"}, {"message", "role", NULL}}},
    {"cursor", {{NULL, "role", NULL}, {"message", "content", NULL}}},
    {"gemini-cli", {{NULL, "projectHash", NULL}, {NULL, "sessionId", NULL}}},
    {"gemini-cli", {{NULL, "type", "gemini"}, {NULL, "timestamp", NULL}}},
    {"opencode", {{NULL, "sessionID", NULL}, {NULL, "id", NULL}}},
    {"opencode", {{"info", "role", NULL}, {NULL, "parts", NULL}}},
    {"otel-genai", {{NULL, "role", NULL}, {"parts", "type", NULL}}},
    {"gemini", {{NULL, "role", NULL}, {NULL, "parts", NULL}}},
    {"gemini", {{NULL, "contents", NULL}, {NULL, NULL, NULL}}},
    {"openhands", {{NULL, "source", NULL}, {NULL, "llm_message", NULL}}},
    {"openhands", {{NULL, "source", NULL}, {NULL, "action", NULL}}},
    {"openai-responses", {{NULL, "object", "response"}, {NULL, "output", NULL}}},
    {"openai-responses", {{NULL, "input", NULL}, {NULL, "model", NULL}}},
    {"atif", {{NULL, "schema_version", "ATIF"}, {NULL, "steps", NULL}}},
    {"sharegpt", {{NULL, "conversations", NULL}, {NULL, NULL, NULL}}},
    {"swe-agent", {{NULL, "trajectory", NULL}, {NULL, NULL, NULL}}},
    {"langchain", {{NULL, "additional_kwargs", NULL}, {NULL, "type", NULL}}},
    {"copilot", {{NULL, "parentId", NULL}, {NULL, "data", NULL}}},
};

static struct json_value
find(struct json_value object, const char *name)
{
	struct json_walk walk;

	if (object.type == JSON_OBJECT)
		return json_find(object, str_from(name));
	json_walk_open(&walk, object);
	if (object.type == JSON_ARRAY && json_walk_next(&walk) && walk.value.type == JSON_OBJECT)
		return json_find(walk.value, str_from(name));
	return (struct json_value){0};
}

static bool
has(struct json_value record, const struct shape_member *member)
{
	struct json_value value = record;

	if (member->name == NULL)
		return true;
	if (member->within != NULL)
		value = find(record, member->within);
	value = find(value, member->name);
	if (member->value == NULL)
		return value.type > JSON_NULL;
	return value.type == JSON_STRING &&
	    str_has_prefix(json_inner(value), str_from(member->value));
}

const char *
likeness_name(struct json_value record)
{
	const struct dialect *dialect;

	for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
		if (has(record, &shapes[i].member[0]) && has(record, &shapes[i].member[1]))
			return shapes[i].name;
	/* A role alone is too weak a sign. */
	dialect = dialect_detect(record);
	if (dialect == NULL || dialect == &ctx_dialect ||
	    (dialect->is_chat && json_find(record, STR("role")).type == JSON_STRING))
		return NULL;
	return dialect->name;
}

bool
likeness_is_read(const char *name)
{
	for (const char *const *read = dialect_reader_names; *read != NULL; read++)
		if (strcmp(*read, name) == 0)
			return true;
	return false;
}
