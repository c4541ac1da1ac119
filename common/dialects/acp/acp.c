/*
 * The Agent Client Protocol: the messages between an agent and its client, one a line. The updates
 * of a session are its conversation; a file may also have the updates alone.
 *
 *     {"jsonrpc":"2.0","method":"session/prompt","params":{"sessionId":…,"prompt":[block,…]}}
 *     {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":…,"update":update}}
 *     {"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":…}}
 *     {"sessionUpdate":"tool_call","toolCallId":…,"title":…,"rawInput":{…}}
 *     {"sessionUpdate":"tool_call_update","toolCallId":…,"status":"completed","content":[…]}
 *
 * Calls are gathered by their updates (acp_calls.h), and chunks of thinking up to an update of
 * another kind.
 */

#include "dialects/acp/acp_calls.h"
#include "dialects/rows/row_message.h"

static const char *const variables[] = {
    "session", "asked", "thought", "message", "tool", "input", "content", "output", NULL};

static const struct row_member carried[] = {{"session_id", "%session"}, {NULL}};
static const struct row_member none[] = {{NULL}};

static const struct row parts[] = {
    {"type=text text:string", ROW_TEXT, .content = "text", .known = "type text annotations"},
    {"type=image mimeType:string", ROW_IMAGE, .content = "data", .media = "mimeType",
	.known = "type data mimeType annotations"},
    {0},
};

/* Before a chunk: closes the open message if the chunk is of another one. But thinking begins the
 * message of the text that follows it. */
static bool
begin_message(struct row_reader *reader, struct row_place *place)
{
	struct json_value id = json_find(place->value, STR("messageId"));
	struct acp_calls *state = reader->state;

	if (id.type == JSON_STRING && !state->has_thought &&
	    !str_eq(json_span(id), buf_str(&reader->variable[ACP_MESSAGE])))
		row_message_close(reader);
	state->has_thought = false;
	row_reader_set(reader, ACP_MESSAGE, id);
	return true;
}

/* Gathers a chunk of thinking, which ends a message that has an id. */
static bool
think(struct row_reader *reader, struct row_place *place)
{
	struct json_value text = member_path_find(place->value, STR("content.text"));

	/* An empty chunk begins no thinking. */
	if (text.type != JSON_STRING || text.len <= 2)
		return true;
	if (reader->variable[ACP_THOUGHT].len == 0 && reader->variable[ACP_MESSAGE].len > 0)
		row_message_close(reader);
	row_reader_extend(reader, ACP_THOUGHT, text);
	return true;
}

/* A whole thought replaces its chunks. */
static bool
think_anew(struct row_reader *reader, struct row_place *place)
{
	buf_reset(&reader->variable[ACP_THOUGHT]);
	for (struct json_walk walk = json_walk_list(json_find(place->value, STR("content")));
	     json_walk_next(&walk);)
		row_reader_extend(reader, ACP_THOUGHT, json_find(walk.value, STR("text")));
	return true;
}

static bool
end_thought(struct row_reader *reader, struct row_place *place)
{
	struct acp_calls *state = reader->state;

	(void)place;
	buf_reset(&reader->variable[ACP_THOUGHT]);
	state->has_thought = true;
	return true;
}

static const struct row thought[] = {
    {"sessionUpdate=agent_thought_chunk|agent_thought", ROW_ALSO},
    {"%thought", ROW_THINKING, .content = "%thought", .also = end_thought},
    {NULL, ROW_ALSO},
    {0},
};

#define OF_CALL "sessionUpdate=tool_call|tool_call_update|tool_call_content_chunk "

/* These updates end the wait of the calls for their inputs. */
static const struct row send[] = {
    {"sessionUpdate=user_message|user_message_chunk|agent_message|agent_message_chunk|"
     "agent_thought|agent_thought_chunk|compaction_update",
	ROW_ALSO, .also = acp_calls_send},
    {"method", ROW_ALSO, .also = acp_calls_send},
    {NULL, ROW_ALSO},
    {0},
};
static const struct row begin[] = {{NULL, ROW_ALSO, .also = begin_message}, {0}};

static const struct row chunk[] = {
    {"content.type=text content.text:string", ROW_TEXT, .content = "content.text",
	.also = row_message_go_on},
    {"content:object", ROW_INSIDE, .content = "content", .inside = parts},
    {0},
};

static const struct row_piece said[] = {{".", begin}, {".", chunk}, {NULL}};

#define MESSAGE .record = "messageId", .inside = parts, .id = "messageId"
#define ANSWERED .sets = ROW_MEMBERS({"asked", "'no'"})

static const struct row whole[] = {
    {NULL, ROW_MESSAGE, MESSAGE, .role = "'assistant'", .known = "sessionUpdate messageId content"},
    {0},
};

/* Reads a whole message, unless its chunks were read. */
static bool
read_whole(struct row_reader *reader, struct row_place *place)
{
	struct json_value id = json_find(place->value, STR("messageId"));

	if (id.type == JSON_STRING &&
	    str_eq(json_span(id), buf_str(&reader->variable[ACP_MESSAGE]))) {
		tally_add(reader->reading->skipped, STR("message that is said twice"));
		return true;
	}
	row_message_close(reader);
	row_reader_read(reader, place, whole, place->value);
	return true;
}

static const struct row update[] = {
    {"sessionUpdate=user_message|user_message_chunk %asked=yes", ROW_SKIP,
	.name = "'prompt that is said twice'"},
    {"sessionUpdate=user_message|user_message_chunk content", ROW_MESSAGE, MESSAGE,
	.role = "'user'"},
    {"sessionUpdate=agent_message_chunk content", ROW_INSIDE, ANSWERED, .pieces = said},
    {"sessionUpdate=agent_message content", ROW_ALSO, ANSWERED, .also = read_whole},
    {"sessionUpdate=agent_thought_chunk", ROW_ALSO, ANSWERED, .also = think},
    {"sessionUpdate=agent_thought", ROW_ALSO, ANSWERED, .also = think_anew},
    {OF_CALL "toolCallId:string", ROW_ALSO, ANSWERED, .also = acp_calls_update},
    {"sessionUpdate=compaction_update status=completed summary[]", ROW_SUMMARY,
	.content = "summary", .inside = parts, .verb = ROW_HISTORY_DROP_ALL},
    {"sessionUpdate", ROW_SKIP, .name = "sessionUpdate"},
    {0},
};

static const struct row_piece all[] = {{".", thought}, {".", send}, {".", update}, {NULL}};

static const struct row updates[] = {{"sessionUpdate", ROW_INSIDE, .pieces = all}, {0}};

#define IN(path) ROW_INSIDE, .inside = updates, .content = path

static const struct row prompt[] = {
    {NULL, ROW_MESSAGE, .role = "'user'", .content = "params.prompt", .inside = parts,
	.known = "jsonrpc id method params",
	.sets = ROW_MEMBERS({"session", "params.sessionId"}, {"asked", "'yes'"})},
    {0},
};

static const struct row_piece asks[] = {{".", thought}, {".", send}, {".", prompt}, {NULL}};

static const struct row records[] = {
    {"method=session/update params.update:object", IN("params.update"),
	.sets = ROW_MEMBERS({"session", "params.sessionId"})},
    {"method=session/prompt params.prompt:array", ROW_INSIDE, .pieces = asks},
    {"method:string", ROW_SKIP, .name = "method"},
    {"jsonrpc", ROW_SKIP, .name = "'answer of a method'"},
    {"update:object", IN("update"), .sets = ROW_MEMBERS({"session", "sessionId"})},
    {"sessionUpdate", IN(".")},
    {0},
};

/* At the end of a session, emits the gathered thinking and calls. */
static bool
end_session(struct row_reader *reader, struct row_place *place)
{
	row_reader_read(reader, place, thought, place->value);
	acp_calls_send(reader, place);
	acp_calls_reset(reader->state);
	return true;
}

static const char *const marks[] = {"\"compaction_update\"", "_message\"", NULL};

static const struct row_dialect acp = {.dialect = &acp_dialect,
    .rows = records,
    .carried = carried,
    .answered = none,
    .extra = "x_acp",
    .variables = variables,
    .replaces = true,
    .grows = true,
    .state_size = sizeof(struct acp_calls),
    .free_state = acp_calls_free,
    .ends = end_session,
    .marks = marks};

const struct dialect acp_dialect = {.name = "acp", .rows = &acp};
