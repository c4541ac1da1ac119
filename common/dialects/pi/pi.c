/*
 * Session files of pi, and of openclaw, which is built on pi. A line is an entry of a tree:
 * parentId names the entry that it follows, and the agent sends the path to the last entry. Old
 * files are a list, without ids.
 *
 *     session           the header
 *     message of the user, the assistant, or a tool; or a command that the user ran
 *     custom_message a message of an extension, under the user's role
 *     compaction        the summary of all before firstKeptEntryId
 *     branch_summary    the summary of a branch that the user left
 *
 * All other entries make no message, but are in the tree.
 */

#include "dialects/load/load_forms.h"
#include "dialects/rows/row_reader.h"
#include "dialects/session_file/session_forms.h"
#include "json/string.h"
#include "json/write.h"

static const char *const variables[] = {"session", NULL};

static const struct row_member carried[] = {
    {"session_id", "%session"}, {"timestamp", "/timestamp"}, {NULL}};

static const struct row_member answered[] = {{"model", "model"}, {"usage", "usage"}, {NULL}};

/* Writes a command that the user ran as pi sends it to the model. */
static bool
write_command(struct row_reader *reader, struct row_place *place)
{
	struct json_value output = json_find(place->value, STR("output"));
	struct json_value code = json_find(place->value, STR("exitCode"));
	struct json_value file = json_find(place->value, STR("fullOutputPath"));
	struct buf text = BUF_INIT;

	buf_add_str(&text, STR("Ran `"));
	json_decode(json_find(place->value, STR("command")), &text);
	buf_add_str(&text, STR("`\n"));
	if (output.type == JSON_STRING ? output.len > 2 : output.type > JSON_NULL) {
		buf_add_str(&text, STR("```\n"));
		if (output.type == JSON_STRING)
			json_decode(output, &text);
		else
			buf_add_str(&text, json_span(output));
		buf_add_str(&text, STR("\n```"));
	} else {
		buf_add_str(&text, STR("(no output)"));
	}
	if (json_find(place->value, STR("cancelled")).type == JSON_TRUE)
		buf_add_str(&text, STR("\n\n(command cancelled)"));
	else if (json_integer(code, 0) != 0)
		buf_add_fmt(&text, "\n\nCommand exited with code %.*s", STR_ARG(json_span(code)));
	if (json_find(place->value, STR("truncated")).type == JSON_TRUE &&
	    file.type == JSON_STRING) {
		buf_add_str(&text, STR("\n\n[Output truncated. Full output: "));
		json_decode(file, &text);
		buf_add_char(&text, ']');
	}
	buf_reset(&reader->text);
	json_write_string(&reader->text, buf_str(&text));
	draft_add_content(reader->open->draft, json_written(&reader->text, 0));
	buf_free(&text);
	return true;
}

static const struct row parts[] = {
    {"type=text text:string", ROW_TEXT, .content = "text", .known = "type text"},
    {"type=thinking thinking:string", ROW_THINKING, .content = "thinking",
	.known = "type thinking"},
    {"type=toolCall", ROW_CALL, .id = "id", .name = "name", .arguments = "arguments",
	.known = "type id name arguments"},
    {"type=image mimeType:string", ROW_IMAGE, .content = "data", .media = "mimeType",
	.known = "type data mimeType"},
    {0},
};

/* The id and the parent of the entry whose message is read. */
#define ENTRY .id = "/id", .record = "/id", .parent = "/parentId"

/* What pi says to the model around a summary. */
#define COMPACTED \
	.prefix = "The conversation history before this point was compacted into the following " \
		  "summary:\\n\\n<summary>\\n", \
	.suffix = "\\n</summary>"
#define CAME_BACK \
	.prefix = "The following is a summary of a branch that this conversation came back from:" \
		  "\\n\\n<summary>\\n", \
	.suffix = "</summary>"

static const struct row messages[] = {
    {"role=user|system|developer content:text", ROW_MESSAGE, ENTRY, .role = "role", .inside = parts,
	.known = "role content timestamp"},
    {"role=assistant content:text", ROW_MESSAGE, ENTRY, .role = "role", .inside = parts,
	.left = "stopReason=error|aborted", .known = "role content timestamp model usage"},
    {"role=toolResult", ROW_RESULT, .id = "toolCallId", .record = "/id", .parent = "/parentId",
	.inside = parts, .error = "isError:true", .success = "isError:false",
	.meta = ROW_MEMBERS({"id", "/id"}, {"tool_name", "toolName"}),
	.known = "role toolCallId toolName content isError timestamp"},
    {"role=bashExecution excludeFromContext:true", ROW_SKIP, ENTRY, .name = "role"},
    {"role=bashExecution command:string", ROW_MESSAGE, ENTRY, .role = "'user'", .content = "none",
	.also = write_command,
	.known = "role command output exitCode cancelled truncated fullOutputPath timestamp"},
    {"role=custom|hookMessage content:text", ROW_MESSAGE, ENTRY, .role = "'user'", .inside = parts,
	.meta = ROW_MEMBERS({"origin", "'injected'"}), .known = "role content timestamp"},
    {"role=branchSummary summary:string", ROW_SUMMARY, ENTRY, CAME_BACK, .content = "summary",
	.known = "role summary timestamp"},
    {"role=compactionSummary summary:string", ROW_SUMMARY, ENTRY, COMPACTED, .content = "summary",
	.known = "role summary timestamp"},
    {0},
};

static const struct row entries[] = {
    {"type=session", ROW_SKIP, .begins = true, .id = "id",
	.record = "none", /* without an id, but it counts as the first entry */
	.sets = ROW_MEMBERS({"session", "id"})},
    {"type=message message:object", ROW_INSIDE, .content = "message", .inside = messages},
    {"type=custom_message content:text", ROW_MESSAGE, ENTRY, .role = "'user'", .inside = parts,
	.meta = ROW_MEMBERS({"origin", "'injected'"}),
	.known = "type id parentId timestamp content"},
    {"type=compaction summary:string", ROW_SUMMARY, ENTRY, COMPACTED, .content = "summary",
	.keeps = "firstKeptEntryId|firstKeptEntryIndex",
	.known = "type id parentId timestamp summary firstKeptEntryId firstKeptEntryIndex"},
    {"type=branch_summary summary:string", ROW_SUMMARY, ENTRY, CAME_BACK, .content = "summary",
	.known = "type id parentId timestamp summary"},
    {"type=model_change|thinking_level_change|custom|label|session_info", ROW_SKIP, ENTRY},
    {0},
};

static const struct row_dialect pi = {.dialect = &pi_dialect,
    .rows = entries,
    .carried = carried,
    .answered = answered,
    .extra = "x_pi",
    .variables = variables,
    .is_tree = true,
    .grows = true};

const struct dialect pi_dialect = {.name = "pi",
    .version = "version",
    .rows = &pi,
    .writer = session_forms_pi,
    .is_session = true,
    .load = &load_forms_pi};
