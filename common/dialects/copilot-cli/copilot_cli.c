/*
 * Session files of Copilot CLI, events.jsonl, and the events that its SDK streams
 * (github/copilot-sdk, session-events.ts of 1.0.81). A line is an event; parentId names the event
 * before it, and no branch.
 *
 *     session.start, session.resume, session.model_change     the session, and its model
 *     system.message, user.message, assistant.message         the messages, with their calls
 *     tool.execution_complete                                 a result
 *     session.compaction_start, session.compaction_complete   messages between the two stay
 *     session.snapshot_rewind                                 an event and all after it are gone
 *
 * Streamed events are followed by the whole message. An old version has reasoning in an event
 * before the message that has it now. Binary data may be an event to which messages refer.
 */

#include "dialects/rows/row_reader.h"
#include "json/string.h"
#include "json/write.h"

enum variable { SESSION, MODEL, USAGE, THOUGHT, COMPACTION };

static const char *const variables[] = {"session", "model", "usage", "thought", "compaction", NULL};

static const struct row_member carried[] = {
    {"session_id", "%session"}, {"agent_id", "agentId"}, {"timestamp", "timestamp"}, {NULL}};

static const struct row_member answered[] = {
    {"model", "data.model|%model"}, {"usage", "%usage"}, {NULL}};

/* A thought is of one message. */
static bool
end_thought(struct row_reader *reader, struct row_place *place)
{
	(void)place;
	row_reader_set(reader, THOUGHT, json_absent);
	return true;
}

static bool
end_compaction(struct row_reader *reader, struct row_place *place)
{
	(void)place;
	row_reader_set(reader, COMPACTION, json_absent);
	return true;
}

/* Keeps the members of a result beside its content. */
static bool
keep_result(struct row_reader *reader, struct row_place *place)
{
	struct json_value result = json_find(json_find(place->value, STR("data")), STR("result"));
	struct json_writer w;

	if (reader->reading->lossy || result.type != JSON_OBJECT)
		return true;
	buf_reset(&reader->extra);
	json_begin(&w, &reader->extra, '{');
	for (struct json_walk walk = json_walk_members(result); json_walk_next(&walk);)
		if (!json_is(walk.name, STR("content")))
			json_put_member(&w, walk.name, walk.value);
	json_close(&w);
	if (reader->extra.len > 2)
		draft_meta_extra(
		    reader->open->draft, STR("x_copilot_cli"), buf_str(&reader->extra));
	return true;
}

/* The texts of other parts are in the content already. */
static const struct row pictures[] = {
    {"data:string mimeType^image/", ROW_IMAGE, .content = "data", .media = "mimeType",
	.known = "type data mimeType"},
    {NULL, ROW_ALSO},
    {0},
};

static const struct row calls[] = {
    {"type=custom arguments:string", ROW_CALL, .id = "toolCallId", .name = "name",
	.arguments = "arguments", .argument = "input", .known = "toolCallId name arguments type"},
    {NULL, ROW_CALL, .id = "toolCallId", .name = "name", .arguments = "arguments",
	.known = "toolCallId name arguments type"},
    {0},
};

/* What is sealed is kept as a member of the message. */
static const struct row thoughts[] = {
    {"data.reasoningText|%thought", ROW_THINKING, .content = "data.reasoningText|%thought",
	.sealed = "data.reasoningOpaque|data.encryptedContent"},
    {NULL, ROW_ALSO, .sealed = "data.reasoningOpaque|data.encryptedContent"},
    {0},
};

#define SENT "data.transformedContent|data.content"

static const struct row_piece question[] = {{SENT, NULL}, {"data.attachments", pictures}, {NULL}};
static const struct row_piece answer[] = {
    {".", thoughts}, {"data.content", NULL}, {"data.toolRequests", calls}, {NULL}};
static const struct row_piece result[] = {{"data.result.content|data.error.message", NULL},
    {"data.result.binaryResultsForLlm", pictures}, {NULL}};

#define WITHIN .within = "data"
#define ASKED \
	.make = ROW_MESSAGE, .role = "'user'", .id = "id", .content = SENT, .pieces = question, \
	WITHIN

static const struct row_member injected[] = {{"origin", "'injected'"}, {NULL}};

static const struct row events[] = {
    {"type=session.start data:object", ROW_SKIP, .begins = true, .id = "data.sessionId",
	.record = "id",
	.sets = ROW_MEMBERS({"session", "data.sessionId"}, {"model", "data.selectedModel"})},
    {"type=session.resume|session.model_change data:object", ROW_SKIP, .record = "id",
	.sets = ROW_MEMBERS({"model", "data.newModel|data.selectedModel"})},
    {"type=system.message data.content:string", ROW_MESSAGE, .role = "data.role|'system'",
	.id = "id", .content = "data.content", WITHIN, .known = "content role", .stays = true},
    {"type=user.message data.source^skill-|agent-", ASKED, .known = "transformedContent",
	.meta = injected},
    {"type=user.message data.isAutopilotContinuation:true", ASKED, .known = "transformedContent",
	.meta = injected},
    {"type=user.message data.transformedContent:string", ASKED, .known = "transformedContent"},
    {"type=user.message data.content:string", ASKED, .known = "content"},
    {"type=system.notification data.content:string", ROW_MESSAGE, .role = "'user'", .id = "id",
	.content = "data.content", WITHIN, .known = "content", .meta = injected},
    {"type=assistant.message data:object", ROW_MESSAGE, .role = "'assistant'", .id = "id",
	.pieces = answer, WITHIN, .known = "content toolRequests reasoningText model",
	.also = end_thought},
    {"type=tool.execution_complete data:object", ROW_RESULT, .id = "data.toolCallId",
	.record = "id", .pieces = result, .error = "data.success:false",
	.success = "data.success:true", WITHIN, .known = "toolCallId success result model",
	.meta = ROW_MEMBERS({"id", "id"}), .also = keep_result},
    {"type=assistant.reasoning data.content:string", ROW_SKIP, .record = "id",
	.sets = ROW_MEMBERS({"thought", "data.content"})},
    {"type=assistant.usage data:object", ROW_SKIP, .record = "id",
	.sets = ROW_MEMBERS({"usage", "data"})},
    {"type=session.compaction_start", ROW_SKIP, .record = "id",
	.sets = ROW_MEMBERS({"compaction", "id"})},
    {"type=session.compaction_complete data.success:true data.summaryContent:string", ROW_SUMMARY,
	.id = "id", .content = "data.summaryContent", .keeps = "%compaction", WITHIN,
	.known = "success summaryContent", .also = end_compaction},
    {"type=session.snapshot_rewind data:object", ROW_SKIP, .record = "id",
	.verb = ROW_HISTORY_DROP_KNOWN, .at = "data.upToEventId"},
    {"type=session.context_cleared data.initialMessage:string", ROW_MESSAGE, .role = "'user'",
	.id = "id", .content = "data.initialMessage", .verb = ROW_HISTORY_DROP_ALL, WITHIN,
	.known = "initialMessage messagesCleared", .meta = injected},
    {"type=session.context_cleared", ROW_SKIP, .record = "id", .verb = ROW_HISTORY_DROP_ALL},
    {"type^session.|tool.|hook.|permission.|subagent.|command|mcp|external_tool.|elicitation.|"
     "sampling.|skill.|user_input.|exit_plan_mode.|auto_mode_switch.",
	ROW_SKIP, .record = "id"},
    {"type^assistant.turn_|assistant.intent|assistant.idle|assistant.streaming_|assistant."
     "message_|assistant.reasoning_|assistant.tool_call_|assistant.server_|abort|ui.|factory.|"
     "capabilities.|pending_messages.|model.call_|tool_search.|session_limits_",
	ROW_SKIP, .record = "id"},
    {0},
};

static const char *const marks[] = {
    "session.compaction_complete", "session.snapshot_rewind", "session.context_cleared", NULL};

static const struct row_dialect copilot_cli = {.dialect = &copilot_cli_dialect,
    .rows = events,
    .carried = carried,
    .answered = answered,
    .extra = "x_copilot_cli",
    .variables = variables,
    .grows = true,
    .marks = marks};

const struct dialect copilot_cli_dialect = {
    .name = "copilot-cli", .version = "data.copilotVersion", .rows = &copilot_cli};
