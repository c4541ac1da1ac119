/*
 * Messages of OpenTelemetry's conventions for generative AI (semantic-conventions 1.37 and later,
 * gen-ai-input-messages.json and gen-ai-output-messages.json), one a line, in an array, or as the
 * attributes of a span or an event (otel_span.h):
 *
 *     {"role":"assistant","parts":[{"type":"text","content":…},…],"finish_reason":"stop"}
 *     {"gen_ai.input.messages":[message,…],"gen_ai.output.messages":[message,…]}
 */

#include "dialects/otel/otel_span.h"

static const char *const variables[] = {NULL};

static const struct row_member none[] = {{NULL}};

static const struct row response[] = {{NULL, ROW_TEXT, .content = "response|result"}, {0}};
static const struct row_piece responses[] = {{".", response}, {NULL}};

static const struct row parts[] = {
    {"type=text content:string", ROW_TEXT, .content = "content", .known = "type content"},
    {"type=reasoning content:string", ROW_THINKING, .content = "content", .known = "type content"},
    {"type=tool_call name:string", ROW_CALL, .id = "id", .name = "name", .arguments = "arguments",
	.known = "type id name arguments"},
    {"type=tool_call_response", ROW_RESULT, .id = "id", .pieces = responses,
	.known = "type id response result"},
    {"type=blob modality=image content:string mime_type", ROW_IMAGE, .content = "content",
	.media = "mime_type", .known = "type modality mime_type content"},
    {"type=uri modality=image uri:string", ROW_IMAGE, .content = "uri",
	.known = "type modality mime_type uri"},
    {0},
};

static const struct row messages[] = {
    {"role=tool parts:array", ROW_INSIDE, .content = "parts", .inside = parts},
    {"role parts:array", ROW_MESSAGE, .role = "role", .content = "parts", .inside = parts,
	.known = "role parts"},
    {0},
};

/* The instructions of a span, which are parts of a message of the system. */
const struct row otel_instructions[] = {
    {NULL, ROW_MESSAGE, .role = "'system'", .content = ".", .inside = parts}, {0}};

const struct row otel_messages[] = {{NULL, ROW_INSIDE, .content = ".", .inside = messages}, {0}};

static const struct row records[] = {
    {"role parts:array", ROW_INSIDE, .content = ".", .inside = messages},
    {".:array", ROW_INSIDE, .content = ".", .inside = records},
    {".:object", ROW_ALSO, .also = otel_span_read},
    {0},
};

static const char *const marks[] = {NULL};

static const struct row_dialect otel = {.dialect = &otel_dialect,
    .rows = records,
    .carried = none,
    .answered = none,
    .extra = "x_otel",
    .variables = variables,
    .marks = marks};

static bool
takes(struct json_value record)
{
	return record.type == JSON_OBJECT && dialect_sign_tell("otel", record) != DIALECT_SIGN_NONE;
}

static enum dialect_sign
sign(struct json_value record)
{
	if (takes(record))
		return DIALECT_SIGN_CLEAR;
	return otel_span_is(record) || takes(json_first(record)) ? DIALECT_SIGN_CERTAIN :
								   DIALECT_SIGN_NONE;
}

const struct dialect otel_dialect = {.name = "otel", .rows = &otel, .sign = sign, .takes = takes};
