#include "dialects/detect.h"

#include "json/text.h"
#include "json/walk.h"

const char *
dialect_name(enum dialect dialect)
{
	static const char *const names[] = {"auto", "ctx", "openai", "anthropic", "claude-code"};

	return names[dialect];
}

static bool
has(struct json_value object, struct str name)
{
	return json_find(object, name).type != JSON_ABSENT;
}

/* Types of lines that stand in a Claude Code session beside the messages. */
static bool
is_claude_code_type(struct json_value type)
{
	static const struct str types[] = {STR_INIT("summary"), STR_INIT("file-history-snapshot"),
	    STR_INIT("queue-operation"), STR_INIT("progress"), STR_INIT("attachment"),
	    STR_INIT("permission-mode"), STR_INIT("last-prompt"), STR_INIT("mode"),
	    STR_INIT("ai-title"), STR_INIT("custom-title"), STR_INIT("agent-name")};

	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		if (json_is(type, types[i]))
			return true;
	return false;
}

/* Content blocks that only the Anthropic API has. */
static bool
has_anthropic_blocks(struct json_value content)
{
	struct json_walk walk;

	json_walk_open(&walk, content);
	while (content.type == JSON_ARRAY && json_walk_next(&walk)) {
		struct json_value type = json_find(walk.value, STR("type"));

		if (json_is(type, STR("tool_use")) || json_is(type, STR("tool_result")))
			return true;
	}
	return false;
}

/* An envelope around a message, or any other line with the marks of a session file. */
static bool
is_claude_code(struct json_value record)
{
	struct json_value type = json_find(record, STR("type"));
	bool has_session = has(record, STR("sessionId"));

	if (has(record, STR("parentUuid")) || has(record, STR("leafUuid")) ||
	    is_claude_code_type(type))
		return true;
	if (has_session && (has(record, STR("uuid")) ||
	    (type.type == JSON_STRING && !has(record, STR("projectHash")))))
		return true;
	return json_find(json_find(record, STR("message")), STR("role")).type == JSON_STRING &&
	    (has_session || json_is(type, STR("user")) || json_is(type, STR("assistant")));
}

static enum dialect
detect_chat(struct json_value messages)
{
	enum dialect dialect = DIALECT_AUTO;
	struct json_walk walk;

	json_walk_open(&walk, messages);
	while (json_walk_next(&walk)) {
		if (json_find(walk.value, STR("role")).type != JSON_STRING)
			return DIALECT_AUTO;
		if (has_anthropic_blocks(json_find(walk.value, STR("content"))))
			return DIALECT_ANTHROPIC;
		dialect = DIALECT_OPENAI;
	}
	return dialect;
}

enum dialect
dialect_detect(struct json_value record)
{
	struct json_value messages = json_find(record, STR("messages"));

	if (record.type == JSON_ARRAY)
		return detect_chat(record);
	if (record.type != JSON_OBJECT)
		return DIALECT_AUTO;
	if (json_find(record, STR("role")).type == JSON_STRING) {
		if (has_anthropic_blocks(json_find(record, STR("content"))))
			return DIALECT_ANTHROPIC;
		return has(record, STR("metadata")) ? DIALECT_CTX : DIALECT_AUTO;
	}
	if (messages.type == JSON_ARRAY)
		return has(record, STR("system")) ? DIALECT_ANTHROPIC : detect_chat(messages);
	return is_claude_code(record) ? DIALECT_CLAUDE_CODE : DIALECT_AUTO;
}
