/*
 * The Agent Client Protocol: what an agent and its client exchange, one a line. The updates of a
 * session are its conversation, and may stand alone, too.
 *
 *     {"jsonrpc":"2.0","method":"session/prompt","params":{"sessionId":…,"prompt":[block,…]}}
 *     {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":…,"update":update}}
 *     {"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":…}}
 *     {"sessionUpdate":"tool_call","toolCallId":…,"title":…,"rawInput":{…}}
 *     {"sessionUpdate":"tool_call_update","toolCallId":…,"status":"completed","content":[…]}
 *
 * A call may be reported before its input is known. It waits for that, for its end or for the next
 * call. Chunks of thinking are gathered up to an update of another kind.
 */

#include "dialects/rows/row_message.h"
#include "dialects/rows/row_reader.h"
#include "json/string.h"

enum variable { SESSION, ASKED, THOUGHT, CALL, TOOL, MESSAGE };

static const char *const variables[] = {
    "session", "asked", "thought", "call", "tool", "message", NULL};

static const struct row_member carried[] = {{"session_id", "%session"}, {NULL}};
static const struct row_member none[] = {{NULL}};

static const struct row parts[] = {
    {"type=text text:string", ROW_TEXT, .content = "text", .known = "type text annotations"},
    {"type=image mimeType:string", ROW_IMAGE, .content = "data", .media = "mimeType",
	.known = "type data mimeType annotations"},
    {0},
};

static const struct row outputs[] = {
    {"type=content content.type=text content.text:string", ROW_TEXT, .content = "content.text",
	.known = "type content"},
    {"type=content content.type=image content.mimeType:string", ROW_IMAGE,
	.content = "content.data", .media = "content.mimeType", .known = "type content"},
    {0},
};

static const struct row raw[] = {{NULL, ROW_TEXT, .content = "."}, {0}};

/* A chunk of another message than the one that is open. */
static bool
begin_message(struct row_reader *reader, struct row_place *place)
{
	struct json_value id = json_find(place->value, STR("messageId"));

	if (id.type == JSON_STRING && !str_eq(json_span(id), buf_str(&reader->variable[MESSAGE])))
		row_message_close(reader);
	row_reader_set(reader, MESSAGE, id);
	return true;
}

/* Gathers a chunk of thinking. */
static bool
think(struct row_reader *reader, struct row_place *place)
{
	struct json_value text = member_path_find(place->value, STR("content.text"));

	/* An empty one begins no thinking. */
	if (text.type == JSON_STRING && text.len > 2)
		row_reader_extend(reader, THOUGHT, text);
	return true;
}

static bool
end_thought(struct row_reader *reader, struct row_place *place)
{
	(void)place;
	buf_reset(&reader->variable[THOUGHT]);
	return true;
}

static const struct row thought[] = {
    {"sessionUpdate=agent_thought_chunk", ROW_ALSO},
    {"%thought", ROW_THINKING, .content = "%thought", .also = end_thought},
    {NULL, ROW_ALSO},
    {0},
};

/* The call that waits. What it gets of an update is its input. */
static const struct row waiting[] = {
    {"toolCallId rawInput", ROW_CALL, .id = "%call", .name = "%tool", .arguments = "rawInput"},
    {NULL, ROW_CALL, .id = "%call", .name = "%tool"},
    {0},
};

/* Sends the call that waits, unless the update is of that call and says neither its input nor its
 * end. */
static bool
send_call(struct row_reader *reader, struct row_place *place)
{
	struct json_value id = json_find(place->value, STR("toolCallId"));
	struct json_value status = json_find(place->value, STR("status"));
	bool is_own = str_eq(json_span(id), buf_str(&reader->variable[CALL]));

	if (reader->variable[CALL].len == 0)
		return true;
	if (is_own && json_find(place->value, STR("rawInput")).type <= JSON_NULL &&
	    !json_is(status, STR("completed")) && !json_is(status, STR("failed")))
		return true;
	row_reader_read(reader, place, is_own ? waiting : waiting + 1, place->value);
	buf_reset(&reader->variable[CALL]);
	return true;
}

static const struct row send[] = {{NULL, ROW_ALSO, .also = send_call}, {0}};
static const struct row begin[] = {{NULL, ROW_ALSO, .also = begin_message}, {0}};

#define NAME "name|_meta.claudeCode.toolName|kind|title"
#define KNOWN "sessionUpdate toolCallId status content rawInput rawOutput name kind title"
#define ENDED "sessionUpdate=tool_call|tool_call_update status=completed|failed "
#define RESULT \
	ROW_RESULT, .id = "toolCallId", .error = "status=failed", .success = "status=completed", \
		    .known = KNOWN

static const struct row results[] = {
    {ENDED "content[]", RESULT, .content = "content", .inside = outputs},
    {ENDED, RESULT, .content = "rawOutput", .inside = raw},
    {NULL, ROW_ALSO},
    {0},
};

static const struct row chunk[] = {
    {"content.type=text content.text:string", ROW_TEXT, .content = "content.text",
	.also = row_message_go_on},
    {"content:object", ROW_INSIDE, .content = "content", .inside = parts},
    {0},
};

static const struct row_piece call[] = {{".", results}, {NULL}};
static const struct row_piece said[] = {{".", begin}, {".", chunk}, {NULL}};

#define MESSAGE .record = "messageId", .inside = parts, .id = "messageId"
#define ANSWERED .sets = ROW_MEMBERS({"asked", "'no'"})

static const struct row update[] = {
    {"sessionUpdate=user_message|user_message_chunk %asked=yes", ROW_SKIP,
	.name = "'prompt that is said twice'"},
    {"sessionUpdate=user_message|user_message_chunk content", ROW_MESSAGE, MESSAGE,
	.role = "'user'"},
    {"sessionUpdate=agent_message_chunk content", ROW_INSIDE, ANSWERED, .pieces = said},
    {"sessionUpdate=agent_message content", ROW_MESSAGE, MESSAGE, ANSWERED, .role = "'assistant'"},
    {"sessionUpdate=agent_thought_chunk", ROW_ALSO, ANSWERED, .also = think},
    {"sessionUpdate=tool_call toolCallId rawInput", ROW_CALL, .id = "toolCallId", .name = NAME,
	.arguments = "rawInput", .inside = results, ANSWERED, .known = KNOWN},
    {"sessionUpdate=tool_call toolCallId", ROW_INSIDE, .pieces = call,
	.sets = ROW_MEMBERS({"call", "toolCallId"}, {"tool", NAME}, {"asked", "'no'"})},
    {"sessionUpdate=tool_call_update toolCallId", ROW_INSIDE, .pieces = call},
    {"sessionUpdate=compaction_update status=completed summary[]", ROW_SUMMARY,
	.content = "summary", .inside = parts, .verb = ROW_HISTORY_DROP_ALL},
    {"sessionUpdate", ROW_SKIP, .name = "sessionUpdate"},
    {0},
};

static const struct row_piece all[] = {{".", thought}, {".", send}, {".", update}, {NULL}};

static const struct row updates[] = {{"sessionUpdate", ROW_INSIDE, .pieces = all}, {0}};

#define IN(path) ROW_INSIDE, .inside = updates, .content = path

static const struct row records[] = {
    {"method=session/update params.update:object", IN("params.update"),
	.sets = ROW_MEMBERS({"session", "params.sessionId"})},
    {"method=session/prompt params.prompt:array", ROW_MESSAGE, .role = "'user'",
	.content = "params.prompt", .inside = parts,
	.sets = ROW_MEMBERS({"session", "params.sessionId"}, {"asked", "'yes'"})},
    {"method:string", ROW_SKIP, .name = "method"},
    {"jsonrpc", ROW_SKIP, .name = "'answer of a method'"},
    {"update:object", IN("update"), .sets = ROW_MEMBERS({"session", "sessionId"})},
    {"sessionUpdate", IN(".")},
    {0},
};

static const char *const marks[] = {"\"compaction_update\"", "_message\"", NULL};

static const struct row_dialect acp = {.dialect = &acp_dialect,
    .rows = records,
    .carried = carried,
    .answered = none,
    .extra = "x_acp",
    .variables = variables,
    .replaces = true,
    .marks = marks};

const struct dialect acp_dialect = {.name = "acp", .rows = &acp};
