/*
 * Tasks of Cline and Roo (cline/cline, apps/vscode content.ts and sdk/packages/core of 2026), in
 * the blocks of the Anthropic API:
 *
 *     [{"role":…,"content":[block,…],"ts":…},…]               api_conversation_history.json
 *     {"sessionId":…,"system_prompt":…,"messages":[…]}        ID.messages.json of the SDK
 *
 * Older versions have calls without results: the result is a text of the next message of the user,
 * [TOOL for …] Result:.
 */

#include "dialects/rows/row_reader.h"

enum variable { SESSION, CALL };

static const char *const variables[] = {"session", "call", NULL};

static const struct row_member carried[] = {
    {"session_id", "%session"}, {"timestamp", "ts"}, {NULL}};

static const struct row_member answered[] = {
    {"model", "modelInfo.modelId|modelInfo.id"}, {"usage", "metrics.tokens|metrics"}, {NULL}};

static const struct injected_text injected_texts[] = {
    {STR_INIT("<environment_details>"), STR_INIT("")},
    {STR_INIT("<SYSTEM_NOTICE>"), STR_INIT("")},
    {STR_INIT("[TASK RESUMPTION]"), STR_INIT("")},
};

static const struct injected injected = {injected_texts, ARRAY_COUNT(injected_texts)};

/* Only the next message of the user answers a call without a result. */
static bool
end_call(struct row_reader *reader, struct row_place *place)
{
	(void)place;
	buf_reset(&reader->variable[CALL]);
	return true;
}

static const struct row parts[] = {
    {"type=text text:string", ROW_TEXT, .content = "text", .known = "type text"},
    {"type=tool_use", ROW_CALL, .id = "id", .name = "name", .arguments = "input",
	.sets = ROW_MEMBERS({"call", "id"}), .known = "type id name input"},
    {"type=redacted_thinking", ROW_PART, .sealed = "data"},
    {0},
};

/* A block that is a message of its own. */
#define OTHER ROW_MESSAGE, .role = "'user'", .content = ".", .inside = parts
#define NOTICE \
	{ \
		"text^<environment_details>|<SYSTEM_NOTICE>", OTHER, \
		    .meta = ROW_MEMBERS({"origin", "'injected'"}) \
	}

static const struct row results[] = {
    {"type=tool_result", ROW_RESULT, .id = "tool_use_id", .inside = parts, .error = "is_error:true",
	.success = "is_error:false", .known = "type tool_use_id content is_error"},
    NOTICE,
    {NULL, OTHER},
    {0},
};

static const struct row texts[] = {
    {"type=text text^[ %call", ROW_RESULT, .id = "%call", .content = ".", .inside = parts,
	.also = end_call},
    NOTICE,
    {NULL, OTHER},
    {0},
};

#define SAYS \
	ROW_MESSAGE, .role = "role", .id = "id", .inside = parts, \
		     .known = "id role content ts modelInfo metrics"

static const struct row messages[] = {
    {"role=user content[].tool_use_id", ROW_INSIDE, .content = "content", .inside = results,
	.also = end_call},
    {"role=user content[].text^[ %call", ROW_INSIDE, .content = "content", .inside = texts,
	.also = end_call},
    {"role=user content:text metadata.kind=compaction", ROW_SUMMARY, .id = "id", .inside = parts,
	.known = "id role content ts", .also = end_call},
    {"role=user content:text", SAYS, .also = end_call},
    {"role=assistant content:text", SAYS},
    {0},
};

static const struct row prompt[] = {
    {".:string", ROW_MESSAGE, .role = "'system'", .content = ".", .stays = true}, {0}};

static const struct row_piece session[] = {
    {"system_prompt", prompt}, {"messages", messages}, {NULL}};

static const struct row records[] = {
    {"messages:array", ROW_INSIDE, .begins = true, .id = "sessionId", .pieces = session,
	.sets = ROW_MEMBERS({"session", "sessionId"})},
    {".:array", ROW_INSIDE, .content = ".", .inside = messages},
    {0},
};

static const char *const marks[] = {NULL};

static const struct row_dialect cline = {.dialect = &cline_dialect,
    .rows = records,
    .carried = carried,
    .answered = answered,
    .extra = "x_cline",
    .variables = variables,
    .injected = &injected,
    .marks = marks};

const struct dialect cline_dialect = {.name = "cline", .rows = &cline};
