/*
 * Session files of Gemini CLI: one document of all messages, or a line for
 * each. A message has the results of its calls in itself.
 *
 *     {"sessionId":…,"projectHash":…,"messages":[…]}       the old form
 *     {"sessionId":…,"projectHash":…}                      the first line of the new one
 *     {"id":…,"type":"user",…}, {"id":…,"type":"gemini",…}  a message; the same id again: anew
 *     {"$set":{"messages":[…]}}                            all messages, anew
 *     {"$rewindTo":ID}                                     the message and all behind it are gone
 *
 * A checkpoint has the contents of the requests instead, in which results are parts of the user:
 *
 *     {"history":[{"role":"user","parts":[…]},…]}          of "/chat save"; or the list alone
 *     {"history":…,"clientHistory":[…],"toolCall":…}       of a call that may be undone
 */

#include "dialects/load/load_forms.h"
#include "dialects/rows/row_reader.h"
#include "dialects/session_file/session_forms.h"

static const char *const variables[] = {"session", NULL};

static const struct row_member carried[] = {
    {"session_id", "%session"}, {"timestamp", "timestamp"}, {NULL}};

static const struct row_member answered[] = {{"model", "model"}, {"usage", "tokens"}, {NULL}};

static const struct injected_text injected_texts[] = {
    {STR_INIT("<session_context>"), STR_INIT("")},
    {STR_INIT("<hook_context>"), STR_INIT("")},
    {STR_INIT("This is the Gemini CLI. We are setting up the context"), STR_INIT("")},
};

static const struct injected injected = {
    injected_texts, sizeof injected_texts / sizeof injected_texts[0]};

static const struct row parts[] = {
    {"text:string thought:true", ROW_THINKING, .content = "text", .known = "text thought"},
    {"text:string", ROW_TEXT, .content = "text", .known = "text"},
    {"inlineData.mimeType^image/", ROW_IMAGE, .content = "inlineData.data",
	.media = "inlineData.mimeType", .known = "inlineData"},
    {"functionCall.name", ROW_CALL, .id = "functionCall.id", .name = "functionCall.name",
	.arguments = "functionCall.args", .known = "functionCall"},
    {"functionResponse.response.output", ROW_TEXT, .content = "functionResponse.response.output"},
    {"functionResponse.response.error", ROW_TEXT, .content = "functionResponse.response.error"},
    {"functionResponse.response", ROW_TEXT, .content = "functionResponse.response"},
    {0},
};

#define THOUGHT .make = ROW_THINKING, .name = "subject", .content = "description"

static const struct row thoughts[] = {
    {"subject:string description:string", THOUGHT, .known = "subject description timestamp"},
    {"subject:string", THOUGHT, .known = "subject timestamp"},
    {"description:string", THOUGHT, .known = "description timestamp"},
    {NULL, THOUGHT, .known = "timestamp"},
    {0},
};

#define RESULT .make = ROW_RESULT, .id = "id", .content = "result", .inside = parts

static const struct row results[] = {
    {"result status=error|cancelled", RESULT, .error = ""},
    {"result", RESULT, .error = "result[].functionResponse.response.error"},
    {0},
};

static const struct row calls[] = {
    {"name", ROW_CALL, .id = "id", .name = "name", .arguments = "args", .inside = results,
	.known = "id name args result"},
    {0},
};

static const struct row_piece answer[] = {
    {"thoughts", thoughts}, {"content", parts}, {"parts", parts}, {"toolCalls", calls}, {NULL}};

/* Some programs write the parts of a request in place of a content, or beside one. */
static const struct row_piece question[] = {{"content", parts}, {"parts", parts}, {NULL}};

/* Commands of the client are no words to the model. */
#define ASKED \
	.make = ROW_MESSAGE, .role = "'user'", .id = "id", .content = "content|parts", \
	.pieces = question, .known = "id type timestamp content parts"

static const struct row messages[] = {
    {"type=user content^/|?", ASKED, .left = ""},
    {"type=user content[].text^/|?", ASKED, .left = ""},
    {"type=user !content parts[].text^/|?", ASKED, .left = ""},
    {"type=user content|parts", ASKED},
    {"type=gemini|model", ROW_MESSAGE, .role = "'assistant'", .id = "id", .pieces = answer,
	.known = "id type timestamp content parts thoughts toolCalls tokens model"},
    {"type=info|error|warning", ROW_SKIP},
    {0},
};

/* The contents of a request. Where results stand in one, each of its parts is read by itself. */
static const struct row responses[] = {
    {"functionResponse", ROW_RESULT, .id = "functionResponse.id", .content = ".", .inside = parts,
	.error = "functionResponse.response.error"},
    {NULL, ROW_MESSAGE, .role = "'user'", .content = ".", .inside = parts},
    {0},
};

static const struct row contents[] = {
    {"role=user parts[].functionResponse", ROW_INSIDE, .content = "parts", .inside = responses},
    {"role=user parts:array", ROW_MESSAGE, .role = "'user'", .content = "parts", .inside = parts,
	.known = "role parts"},
    {"role=model parts:array", ROW_MESSAGE, .role = "'assistant'", .content = "parts",
	.inside = parts, .known = "role parts"},
    {0},
};

#define SESSION .begins = true, .id = "sessionId", .sets = ROW_MEMBERS({"session", "sessionId"})

/* Messages that are set, and are no list. */
static bool
refuse_messages(struct row_reader *reader, struct row_place *place)
{
	dialect_note_flaw(reader->reading, place->line, "messages that are set are no list");
	return false;
}

static const struct row records[] = {
    {"type", ROW_INSIDE, .content = ".", .inside = messages},
    {"$set.messages:array", ROW_INSIDE, .content = "$set.messages", .inside = messages,
	.verb = ROW_HISTORY_DROP_ALL},
    {"$set.messages", ROW_ALSO, .also = refuse_messages},
    {"$set !content !parts", ROW_SKIP, .name = "'$set'"},
    {"$rewindTo", ROW_SKIP, .name = "'$rewindTo'", .verb = ROW_HISTORY_DROP_FROM,
	.at = "$rewindTo"},
    {"!type messages:array", ROW_INSIDE, SESSION, .content = "messages", .inside = messages},
    {"!type sessionId", ROW_SKIP, SESSION, .name = "'session'"},
    {"clientHistory:array", ROW_INSIDE, .content = "clientHistory", .inside = contents},
    {"history:array", ROW_INSIDE, .content = "history", .inside = contents},
    {".:array", ROW_INSIDE, .content = ".", .inside = contents},
    {0},
};

static const struct row_dialect gemini_cli = {.dialect = &gemini_cli_dialect,
    .rows = records,
    .carried = carried,
    .answered = answered,
    .extra = "x_gemini_cli",
    .variables = variables,
    .injected = &injected,
    .replaces = true,
    .grows = true};

const struct dialect gemini_cli_dialect = {.name = "gemini-cli",
    .rows = &gemini_cli,
    .writer = session_forms_gemini_cli,
    .is_session = true,
    .load = &load_forms_gemini_cli};
