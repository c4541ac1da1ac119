/*
 * Session files of Qwen Code (QwenLM/qwen-code, chatRecordingService.ts and session-api-history.ts
 * of 0.21). A line is a record of a tree, as of Claude Code, and its message is a content of the
 * Gemini API.
 *
 *     user, assistant, tool_result     a content; those with one uuid are one message
 *     system                           an event; of the subtype chat_compression: contents that
 *                                      replace all before; of rewind: where a branch begins
 *
 * If a parent is not in the file, the client goes on with the record before, and shows a gap.
 */

#include "dialects/gemini/gemini_contents.h"
#include "dialects/rows/row_message.h"

static const char *const variables[] = {NULL};

static const struct row_member carried[] = {
    {"session_id", "/sessionId"}, {"agent_id", "/agentId"}, {"timestamp", "/timestamp"}, {NULL}};

static const struct row_member answered[] = {
    {"model", "/model"}, {"usage", "/usageMetadata"}, {NULL}};

static const struct injected_text injected_texts[] = {
    {STR_INIT("<system-reminder>"), STR_INIT("")},
    {STR_INIT("<task-notification>"), STR_INIT("")},
    {STR_INIT("<qwen:"), STR_INIT("")},
};

static const struct injected injected = {injected_texts, ARRAY_COUNT(injected_texts)};

/* The last record of a message says its usage. */
static bool
note_usage(struct row_reader *reader, struct row_place *place)
{
	draft_set_usage(reader->open->draft, json_find(place->value, STR("usageMetadata")));
	return true;
}

static bool
note_record(struct row_reader *reader, struct row_place *place)
{
	row_message_record(reader, place);
	return true;
}

/* Contents that one record has are a path of their own in the tree: it begins at the parent of the
 * record, and has its id at the end. */
static const struct row begun[] = {
    {NULL, ROW_ALSO, .record = "none", .parent = "parentUuid", .also = note_record}, {0}};
static const struct row compacted[] = {{NULL, ROW_ALSO, .record = "none", .parent = "parentUuid",
					   .keeps = "none", .also = note_record},
    {0}};
static const struct row ended[] = {{NULL, ROW_ALSO, .record = "uuid", .also = note_record}, {0}};

static const struct row_piece results[] = {
    {".", begun}, {"message", gemini_contents}, {".", ended}, {NULL}};
static const struct row_piece compression[] = {
    {".", compacted}, {"systemPayload.compressedHistory", gemini_contents}, {".", ended}, {NULL}};

#define ENTRY .id = "uuid", .record = "uuid", .parent = "parentUuid"
#define SAYS \
	ROW_MESSAGE, ENTRY, \
	    .content = "message.parts", .inside = gemini_contents_parts, \
	    .known = "uuid parentUuid sessionId timestamp type cwd version gitBranch message " \
		     "model usageMetadata agentId"

static const struct row records[] = {
    {"subtype=realtime_message|code_mode_tool_result", ROW_SKIP, ENTRY, .name = "subtype"},
    {"type=user subtype=notification|background_task_completed|cron|goal_runtime message.parts:"
     "array",
	SAYS, .role = "'user'", .meta = ROW_MEMBERS({"origin", "'injected'"})},
    {"type=user message.parts:array", SAYS, .role = "'user'"},
    {"type=assistant message.parts:array", SAYS, .role = "'assistant'", .also = note_usage},
    {"type=tool_result message:object", ROW_INSIDE, .pieces = results},
    {"type=system subtype=chat_compression systemPayload.compressedHistory:array", ROW_INSIDE,
	.pieces = compression},
    {"type=system", ROW_SKIP, ENTRY, .name = "subtype"},
    {0},
};

static const struct row_dialect qwen_code = {.dialect = &qwen_code_dialect,
    .rows = records,
    .carried = carried,
    .answered = answered,
    .extra = "x_qwen_code",
    .variables = variables,
    .injected = &injected,
    .is_tree = true,
    .repeats = true,
    .grows = true};

const struct dialect qwen_code_dialect = {
    .name = "qwen-code", .version = "version", .rows = &qwen_code};
