/*
 * The Gemini API: contents, one a line or in an array, bodies of requests, and answers, whole or in
 * the chunks of a stream, whose last one says why it ends.
 *
 *     {"role":"user","parts":[{"text":…}]}                                     a content
 *     {"systemInstruction":…,"contents":[content,…],"tools":[…],…}             a request
 *     {"candidates":[{"content":content,"finishReason":…}],"usageMetadata":…}  an answer
 *
 * What a request says beside its contents becomes a context record, as of a chat request. The files
 * of gemini-cli's own tests hold answers: {"method":"generateContent…","response":[answer,…]}.
 */

#include "dialects/gemini/gemini_contents.h"
#include "dialects/gemini/gemini_request.h"
#include "dialects/gemini/gemini_rules.h"
#include "dialects/gemini/gemini_writer.h"
#include "dialects/request/request_rows.h"

static const char *const variables[] = {NULL};

static const struct row_member none[] = {{NULL}};
static const struct row_member answered[] = {
    {"id", "responseId"}, {"model", "modelVersion"}, {NULL}};

/* Each chunk says the usage so far. */
static bool
note_usage(struct row_reader *reader, struct row_place *place)
{
	draft_set_usage(reader->open->draft, json_find(place->value, STR("usageMetadata")));
	return true;
}

static bool
put_context(struct row_reader *reader, struct row_place *place)
{
	return request_rows_context(reader, place, STR("contents"));
}

static const struct row frame[] = {
    {NULL, ROW_ALSO, .also = put_context},
    {0},
};

#define SYSTEM ROW_MESSAGE, .role = "'system'", .inside = gemini_contents_parts, .stays = true

static const struct row instruction[] = {
    {".:string", SYSTEM, .content = "."},
    {"parts", SYSTEM, .content = "parts"},
    {"text", SYSTEM, .content = "."},
    {0},
};

/* A text or a part alone is a message of the user, as in the SDK (google-genai, t_contents). */
static const struct row contents[] = {
    {".:string", ROW_MESSAGE, .role = "'user'", .content = "."},
    {"parts:any", ROW_INSIDE, .content = ".", .inside = gemini_contents},
    {"!role:any text:string", ROW_MESSAGE, .role = "'user'", .content = "text", .known = "text"},
    {0},
};

static const struct row_piece request[] = {{".", frame}, {"systemInstruction", instruction},
    {"system_instruction", instruction}, {"contents", contents}, {NULL}};

/* A blocked answer has no content. */
static const struct row answers[] = {
    {"candidates[].content.parts:array", ROW_MESSAGE, .role = "'assistant'",
	.content = "candidates[].content.parts", .inside = gemini_contents_parts,
	.streamed = "!candidates[].finishReason", .also = note_usage},
    {"candidates:any", ROW_SKIP, .name = "'answer without content'"},
    {"usageMetadata", ROW_SKIP, .name = "'usageMetadata'"},
    {"promptFeedback", ROW_SKIP, .name = "'promptFeedback'"},
    {0},
};

static const struct row records[] = {
    {"contents:text", ROW_INSIDE, .pieces = request},
    {"contents:object", ROW_INSIDE, .pieces = request},
    {"response[].candidates", ROW_INSIDE, .content = "response", .inside = answers},
    {".:array .[].candidates", ROW_INSIDE, .content = ".", .inside = answers},
    {".:array", ROW_INSIDE, .content = ".", .inside = gemini_contents},
    {"parts:array", ROW_INSIDE, .content = ".", .inside = gemini_contents},
    {"!contents", ROW_INSIDE, .content = ".", .inside = answers},
    {0},
};

static const char *const marks[] = {NULL};

static const struct row_dialect gemini = {.dialect = &gemini_dialect,
    .rows = records,
    .carried = none,
    .answered = answered,
    .extra = "x_gemini",
    .variables = variables,
    .marks = marks};

/* Whether the message is a content: its parts have no type, as those of others have. */
static bool
takes(struct json_value message)
{
	struct json_value parts = json_find(message, STR("parts"));

	return parts.type == JSON_ARRAY && !json_has(message, STR("content")) &&
	    !json_has(json_first(parts), STR("type"));
}

const struct dialect gemini_dialect = {.name = "gemini",
    .rows = &gemini,
    .takes = takes,
    .writer = gemini_writer,
    .only_messages = true,
    .lifts_systems = true,
    .judge = gemini_rules_judge,
    .follow = gemini_rules_follow,
    .request = &gemini_request_api};
