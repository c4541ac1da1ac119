#include "dialects/figure.h"

#include "data/message/usage.h"
#include "dialects/rows/conditions.h"
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

/* Lines of the sessions of agents. The first row of a line that has its tokens is taken. Codex
 * writes the usage in a line of its own, after the answer, or, in older versions, before the
 * answer's items, which are then counted twice. */
static const struct figure_row {
	const char *when;
	enum figure_kind kind;
	const char *tokens; /* a usage, or a number; NULL: none */
} rows[] = {
    {"type=assistant message.usage", FIGURE_ANSWER, "message.usage"},
    {"subtype=compact_boundary", FIGURE_COMPACTION, "compactMetadata.postTokens"},
    {"subtype=compact_boundary", FIGURE_BOUNDARY, NULL},
    {"type=event_msg payload.type=token_count", FIGURE_COMPACTION, "payload.info.last_token_usage"},
    {"type=event_msg payload.type=thread_rolled_back", FIGURE_SUMMARY, NULL},
    {"type=compacted payload", FIGURE_SUMMARY, NULL},
    {"type=message message.role=assistant message.usage", FIGURE_ANSWER, "message.usage"},
    {"type=compaction summary", FIGURE_SUMMARY, NULL},
    {"type=gemini tokens", FIGURE_ANSWER, "tokens"},
    {"$set.messages", FIGURE_SUMMARY, NULL},
    {"$rewindTo", FIGURE_SUMMARY, NULL},
};

enum { ROWS = ARRAY_COUNT(rows) };

static struct conditions_table table = CONDITIONS_TABLE(rows);
static struct member_path tokens_of[ROWS];

static struct figure
read_line(struct json_value line)
{
	struct member_view view;

	for (unsigned i = 0; table.row == NULL && i < ROWS; i++) {
		const char *tokens = rows[i].tokens != NULL ? rows[i].tokens : "";

		member_path_compile(&tokens_of[i], &table.tree, NULL, str_from(tokens));
	}
	conditions_table_open(&table, &view, line);
	for (unsigned i = 0; i < ROWS; i++) {
		struct json_value tokens;
		struct figure figure;

		if (!conditions_hold(&table.row[i], &view))
			continue;
		tokens = member_find(&view, &tokens_of[i]);
		figure = read_usage(tokens);
		if (figure.kind == FIGURE_NONE)
			figure.tokens = json_count(tokens);
		figure.kind = rows[i].kind;
		if (rows[i].tokens == NULL || figure.tokens > 0)
			return figure;
	}
	return (struct figure){FIGURE_NONE, 0, 0};
}

struct figure
figure_read(const struct message *message)
{
	switch (message->kind) {
	case RECORD_MESSAGE:
		return read_message(message);
	case RECORD_BUDGET:
		return (struct figure){FIGURE_COMPACTION,
		    json_count(json_find(message->value, STR("used_tokens"))),
		    json_count(json_find(message->value, STR("reserved_system_tokens")))};
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
	/* A line that is blank or bad has no value. */
	if (message->kind != RECORD_FOREIGN)
		return -1;
	inner = json_find(message->value, STR("message"));
	if (json_find(inner, STR("role")).type != JSON_STRING)
		return -1;
	return json_find(message->value, STR("isSidechain")).type == JSON_TRUE;
}

bool
figure_is_summary(const struct message *message)
{
	return message->kind == RECORD_FOREIGN &&
	    json_find(message->value, STR("isCompactSummary")).type == JSON_TRUE;
}
