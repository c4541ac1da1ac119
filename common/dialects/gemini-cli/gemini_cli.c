/*
 * Session files of Gemini CLI: one document of all messages, or a line for each. A message contains
 * the results of its calls.
 *
 *     {"sessionId":…,"projectHash":…,"messages":[…]}       the old form
 *     {"sessionId":…,"projectHash":…}                      the first line of the new one
 *     {"id":…,"type":"user",…}, {"id":…,"type":"gemini",…}  a message; its id again: replaced
 *     {"$set":{"messages":[…]}}                            all messages, replaced
 *     {"$rewindTo":ID}                                     the message and all after it are gone
 *
 * The results of calls are also in a message of the user, after that of the calls. When the client
 * resumes a session, it sets all messages anew. Their contents are then those of the next request:
 * an answer has its calls in the content and, once more, in toolCalls, and the results are messages
 * of the user and, once more, in toolCalls.
 *
 * A checkpoint has the contents of requests instead, in which results are parts of the user's
 * contents:
 *
 *     {"history":[{"role":"user","parts":[…]},…]}          of "/chat save"; or the list alone
 *     {"history":…,"clientHistory":[…],"toolCall":…}       of a call that may be undone
 */

#include "base/hash/map.h"
#include "dialects/gemini/gemini_contents.h"
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

static const struct injected injected = {injected_texts, ARRAY_COUNT(injected_texts)};

#define THOUGHT .make = ROW_THINKING, .name = "subject", .content = "description"

static const struct row thoughts[] = {
    {"subject:string description:string", THOUGHT, .known = "subject description timestamp"},
    {"subject:string", THOUGHT, .known = "subject timestamp"},
    {"description:string", THOUGHT, .known = "description timestamp"},
    {NULL, THOUGHT, .known = "timestamp"},
    {0},
};

/* The state of the reader is a map of the ids of calls whose results were read from toolCalls. A
 * message of the user has them again. */
static void
free_answered(void *state)
{
	map_free(state);
}

static void
note_call(struct row_reader *reader, struct json_value id, bool is_answered)
{
	if (id.type != JSON_STRING)
		return;
	if (is_answered)
		map_set(reader->state, hash_label(json_span(id)), 1);
	else
		map_remove(reader->state, hash_label(json_span(id)));
}

/* An id may come again, for a call of another session or of one that goes on elsewhere. */
static bool
note_answered(struct row_reader *reader, struct row_place *place)
{
	note_call(reader, json_find(place->value, STR("id")),
	    json_find(place->value, STR("result")).type > JSON_NULL);
	return true;
}

/* The results of calls that the content has are only in messages of the user. */
static bool
forget_answered(struct row_reader *reader, struct row_place *place)
{
	for (struct json_walk walk = json_walk_list(json_find(place->value, STR("content")));
	     json_walk_next(&walk);)
		note_call(reader, member_path_find(walk.value, STR("functionCall.id")), false);
	return true;
}

/* Reads a result of a message of the user, unless that of its call was read. */
static bool
read_response(struct row_reader *reader, struct row_place *place)
{
	struct json_value id = member_path_find(place->value, STR("functionResponse.id"));

	return (id.type == JSON_STRING &&
		   map_get(reader->state, hash_label(json_span(id))) != MAP_NONE) ||
	    row_reader_read(reader, place, gemini_contents_results, place->value);
}

static const struct row responses[] = {
    {"functionResponse", ROW_ALSO, .also = read_response},
    {NULL, ROW_INSIDE, .content = ".", .inside = gemini_contents_parts},
    {0},
};

#define RESULT .make = ROW_RESULT, .id = "id", .content = "result", .inside = gemini_contents_parts

static const struct row results[] = {
    {"result status=error|cancelled", RESULT, .error = ""},
    {"result", RESULT, .error = "result[].functionResponse.response.error"},
    {0},
};

static const struct row calls[] = {
    {"name", ROW_CALL, .id = "id", .name = "name", .arguments = "args", .inside = results,
	.known = "id name args result", .also = note_answered},
    {0},
};

static const struct row_piece answer[] = {{"thoughts", thoughts},
    {"content", gemini_contents_parts}, {"parts", gemini_contents_parts}, {"toolCalls", calls},
    {NULL}};

/* Some programs write the parts of a request in place of a content, or beside one. */
static const struct row_piece question[] = {
    {"content", gemini_contents_parts}, {"parts", gemini_contents_parts}, {NULL}};

/* Of calls, and of thoughts, the client sends only those in the content, if there are any. */
static const struct row_piece calls_resent[] = {
    {"thoughts", thoughts}, {"content", gemini_contents_parts}, {NULL}};
static const struct row_piece thoughts_resent[] = {
    {"content", gemini_contents_parts}, {"toolCalls", calls}, {NULL}};
static const struct row_piece all_resent[] = {{"content", gemini_contents_parts}, {NULL}};

static const struct row_piece results_resent[] = {{"content", responses}, {NULL}};

/* Commands of the client are no words to the model. */
#define ASKED \
	.make = ROW_MESSAGE, .role = "'user'", .id = "id", .content = "content|parts", \
	.pieces = question, .known = "id type timestamp content parts"

#define ANSWERED \
	.make = ROW_MESSAGE, .role = "'assistant'", .id = "id", \
	.known = "id type timestamp content parts thoughts toolCalls tokens model"

static const struct row messages[] = {
    {"type=user content[].functionResponse", ROW_MESSAGE, .role = "'user'", .id = "id",
	.pieces = results_resent, .known = "id type timestamp content"},
    {"type=user content^/|?", ASKED, .left = ""},
    {"type=user content[].text^/|?", ASKED, .left = ""},
    {"type=user !content parts[].text^/|?", ASKED, .left = ""},
    {"type=user content|parts", ASKED},
    {"type=gemini content[].functionCall.id content[].thought", ANSWERED, .pieces = all_resent,
	.repeated = true, .also = forget_answered},
    {"type=gemini content[].functionCall.id", ANSWERED, .pieces = calls_resent, .repeated = true,
	.also = forget_answered},
    {"type=gemini content[].thought", ANSWERED, .pieces = thoughts_resent, .repeated = true},
    {"type=gemini|model", ANSWERED, .pieces = answer},
    {"type=info|error|warning", ROW_SKIP},
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
    {"clientHistory:array", ROW_INSIDE, .content = "clientHistory", .inside = gemini_contents},
    {"history:array", ROW_INSIDE, .content = "history", .inside = gemini_contents},
    {".:array", ROW_INSIDE, .content = ".", .inside = gemini_contents},
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
    .grows = true,
    .state_size = sizeof(struct map),
    .free_state = free_answered};

const struct dialect gemini_cli_dialect = {.name = "gemini-cli",
    .rows = &gemini_cli,
    .writer = session_forms_gemini_cli,
    .is_session = true,
    .load = &load_forms_gemini_cli};
