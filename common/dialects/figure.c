#include "dialects/figure.h"

#include "data/message/usage.h"
#include "json/string.h"

static struct figure
read_usage(struct json_value object)
{
	struct usage usage;

	if (!usage_read(object, &usage))
		return (struct figure){FIGURE_NONE, 0, 0};
	return (struct figure){FIGURE_ANSWER, usage.input + usage.output, 0};
}

static struct figure
read_message(const struct message *message)
{
	if (message->metadata.type != JSON_OBJECT)
		return (struct figure){FIGURE_NONE, 0, 0};
	if (json_is(message->meta[METADATA_KIND], STR("summary")))
		return (struct figure){FIGURE_SUMMARY, 0, 0};
	if (message->role != ROLE_ASSISTANT)
		return (struct figure){FIGURE_NONE, 0, 0};
	return read_usage(message->meta[METADATA_USAGE]);
}

static struct figure
read_budget(struct json_value record)
{
	return (struct figure){FIGURE_COMPACTION, json_count(json_find(record, STR("used_tokens"))),
	    json_count(json_find(record, STR("reserved_system_tokens")))};
}

/* Reads a line of Claude Code (dialects/claude-code/claude_code.c). */
static struct figure
read_line(struct json_value line)
{
	struct json_value type = json_find(line, STR("type"));
	struct json_value left;

	if (json_is(type, STR("assistant")))
		return read_usage(json_find(json_find(line, STR("message")), STR("usage")));
	if (!json_is(json_find(line, STR("subtype")), STR("compact_boundary")))
		return (struct figure){FIGURE_NONE, 0, 0};
	left = json_find(json_find(line, STR("compactMetadata")), STR("postTokens"));
	if (json_count(left) == 0)
		return (struct figure){FIGURE_BOUNDARY, 0, 0};
	return (struct figure){FIGURE_COMPACTION, json_count(left), 0};
}

struct figure
figure_read(const struct message *message)
{
	switch (message->kind) {
	case RECORD_MESSAGE:
		return read_message(message);
	case RECORD_BUDGET:
		return read_budget(message->value);
	case RECORD_FOREIGN:
		return read_line(message->value);
	default:
		return (struct figure){FIGURE_NONE, 0, 0};
	}
}

int
figure_is_side(const struct message *message)
{
	struct json_value inner;

	if (message->kind == RECORD_MESSAGE)
		return message->metadata.type == JSON_OBJECT &&
		    message->meta[METADATA_PARENT_EXECUTION_ID].type == JSON_STRING;
	inner = json_find(message->value, STR("message"));
	if (message->kind != RECORD_FOREIGN || json_find(inner, STR("role")).type != JSON_STRING)
		return -1;
	return json_find(message->value, STR("isSidechain")).type == JSON_TRUE;
}

bool
figure_is_summary(const struct message *message)
{
	return message->kind == RECORD_FOREIGN &&
	    json_find(message->value, STR("isCompactSummary")).type == JSON_TRUE;
}
