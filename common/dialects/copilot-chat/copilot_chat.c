/*
 * Sessions of GitHub Copilot Chat in VS Code: one document of requests. A request has the user's
 * text, the shown answer, and the rounds of the model with their calls. The results are listed by
 * the ids of their calls, as trees of texts.
 *
 *     {"version":3,"responderUsername":…,"sessionId":…,"requests":[request,…]}
 *     {"requestId":…,"message":{"text":…},"response":[part,…],"result":{"metadata":{
 *         "toolCallRounds":[{"id":…,"response":…,"toolCalls":[call,…]},…],
 *         "toolCallResults":{ID:{"content":[{"value":{"node":tree}},…]},…}}}}
 *
 * Of a request without rounds, the shown answer is read.
 */

#include "dialects/rows/row_message.h"
#include "dialects/rows/row_reader.h"
#include "json/string.h"
#include "json/write.h"

enum variable { SESSION, TIME, MODEL, CALL, TEXT };

static const char *const variables[] = {"session", "time", "model", "call", "text", NULL};

static const struct row_member carried[] = {
    {"session_id", "%session"}, {"timestamp", "%time"}, {NULL}};

static const struct row_member answered[] = {{"model", "%model"}, {NULL}};

/*
 * Adds the texts of a tree of prompt-tsx (@vscode/prompt-tsx 0.4, MaterializedChatMessage):
 *
 *     {"type":1,"children":[tree,…]}
 *     {"type":2,"text":…,"lineBreakBefore":true}
 *
 * A text begins a line if it has lineBreakBefore, or if it is the first child and no text precedes
 * it in the same piece.
 */
static void
add_tree(struct buf *text, struct json_value tree, bool is_after_text)
{
	bool is_first = true;

	for (struct json_walk walk = json_walk_list(json_find(tree, STR("children")));
	     json_walk_next(&walk); is_first = false) {
		struct json_value said = json_find(walk.value, STR("text"));
		bool begins_line =
		    json_find(walk.value, STR("lineBreakBefore")).type == JSON_TRUE ||
		    (is_first && !is_after_text);

		if (said.type != JSON_STRING) {
			add_tree(text, walk.value, is_after_text);
			is_after_text = false;
			continue;
		}
		if (begins_line && text->len > 0 && text->ptr[text->len - 1] != '\n')
			buf_add_char(text, '\n');
		json_decode(said, text);
		is_after_text = true;
	}
}

static const struct row gathered[] = {
    {"%text", ROW_TEXT, .content = "%text"}, {NULL, ROW_ALSO}, {0}};

static bool
read_tree(struct row_reader *reader, struct row_place *place)
{
	struct buf text = BUF_INIT;

	add_tree(&text, member_path_find(place->value, STR("value.node")), false);
	buf_reset(&reader->variable[TEXT]);
	json_write_json(&reader->variable[TEXT], buf_str(&text));
	buf_pad(&reader->variable[TEXT]);
	buf_free(&text);
	return row_reader_read(reader, place, gathered, place->value);
}

static const struct row outputs[] = {
    {"value:string", ROW_TEXT, .content = "value", .known = "$mid value"},
    {"value.node:object", ROW_ALSO, .also = read_tree, .known = "$mid value"},
    {0},
};

static const struct row result[] = {
    {"content:array", ROW_RESULT, .id = "%call", .inside = outputs, .known = "$mid content"},
    {NULL, ROW_SKIP, .name = "'result without content'"},
    {0},
};

/* Reads the results, which go to their calls by themselves. */
static bool
read_results(struct row_reader *reader, struct row_place *place)
{
	for (struct json_walk walk = json_walk_members(place->value); json_walk_next(&walk);) {
		row_reader_set(reader, CALL, walk.name);
		row_reader_read(reader, place, result, walk.value);
	}
	return true;
}

static const struct row results[] = {{NULL, ROW_ALSO, .also = read_results}, {0}};

static const struct row calls[] = {
    {"name:string", ROW_CALL, .id = "id", .name = "name", .arguments = "arguments",
	.known = "id name arguments"},
    {0},
};

static const struct row texts[] = {{".:string", ROW_TEXT, .content = "."}, {0}};

static const struct row thoughts[] = {
    {"text:text", ROW_THINKING, .content = "text[]", .known = "id text"}, {0}};

static const struct row_piece round_pieces[] = {
    {"thinking", thoughts}, {"response", texts}, {"toolCalls", calls}, {NULL}};

static const struct row rounds[] = {
    {"response", ROW_MESSAGE, .role = "'assistant'", .id = "id", .pieces = round_pieces,
	.known = "id response toolCalls toolInputRetry thinking"},
    {0},
};

static const struct row shown[] = {
    {"!kind value:string", ROW_TEXT, .content = "value", .also = row_message_go_on},
    {"kind=inlineReference name:string", ROW_TEXT, .content = "name", .also = row_message_go_on},
    {"kind=thinking value:string", ROW_THINKING, .content = "value"},
    {"kind", ROW_SKIP, .name = "kind"},
    {0},
};

static const struct row asked[] = {
    {"message.text:string", ROW_MESSAGE, .role = "'user'", .id = "requestId",
	.content = "message.text", .within = "message", .known = "text parts"},
    {NULL, ROW_ALSO},
    {0},
};

static const struct row answer[] = {
    {"response:array", ROW_MESSAGE, .role = "'assistant'", .id = "responseId",
	.content = "response", .inside = shown},
    {NULL, ROW_ALSO},
    {0},
};

static const struct row_piece worked[] = {{".", asked}, {"result.metadata.toolCallRounds", rounds},
    {"result.metadata.toolCallResults", results}, {NULL}};
static const struct row_piece talked[] = {{".", asked}, {".", answer}, {NULL}};

#define REQUEST(of) \
	ROW_INSIDE, .pieces = of, \
		    .sets = ROW_MEMBERS({"time", "timestamp"}, {"model", "modelId"}), \
		    .known = "agent codeCitations contentReferences followups isCanceled " \
			     "response responseId responseMarkdownInfo variableData"

static const struct row requests[] = {
    {"message result.metadata.toolCallRounds[]", REQUEST(worked)},
    {"message", REQUEST(talked)},
    {0},
};

static const struct row records[] = {
    {"requests:array", ROW_INSIDE, .begins = true, .id = "sessionId", .content = "requests",
	.inside = requests, .sets = ROW_MEMBERS({"session", "sessionId"}),
	.known = "version creationDate customTitle initialLocation isImported lastMessageDate "
		 "requesterAvatarIconUri requesterUsername responderAvatarIconUri "
		 "responderUsername"},
    {0},
};

static const char *const marks[] = {NULL};

static const struct row_dialect copilot_chat = {.dialect = &copilot_chat_dialect,
    .rows = records,
    .carried = carried,
    .answered = answered,
    .extra = "x_copilot_chat",
    .variables = variables,
    .marks = marks};

const struct dialect copilot_chat_dialect = {.name = "copilot-chat", .rows = &copilot_chat};
