/*
 * Logs of Inspect: one document of samples, or a single sample, as in an archive of samples. Each
 * sample is a session.
 *
 *     {"eval":{"task":…,"model":…},"samples":[sample,…],…}
 *     {"id":…,"epoch":1,"uuid":…,"messages":[message,…],…}
 *
 * A message is one of a chat API, but a call names its function in a string, and its arguments are
 * an object. If a call failed, the model sees the error.
 */

#include "dialects/rows/row_reader.h"

static const char *const variables[] = {"session", NULL};

static const struct row_member carried[] = {{"session_id", "%session"}, {NULL}};

static const struct row_member answered[] = {{"model", "model"}, {NULL}};

static const struct row calls[] = {
    {"function:string", ROW_CALL, .id = "id", .name = "function", .arguments = "arguments",
	.known = "type id function arguments view"},
    {0},
};

static const struct row parts[] = {
    {"type=text text:string", ROW_TEXT, .content = "text", .known = "type text"},
    {"type=reasoning redacted:true", ROW_PART, .sealed = "reasoning"},
    {"type=reasoning reasoning:string", ROW_THINKING, .content = "reasoning",
	.known = "type reasoning redacted"},
    {"type=image image:string", ROW_IMAGE, .content = "image", .known = "type image detail"},
    {0},
};

static const struct row_piece answer[] = {{"content", parts}, {"tool_calls", calls}, {NULL}};

#define KNOWN "role id content source "
#define RESULT \
	ROW_RESULT, .id = "tool_call_id", .record = "id", .inside = parts, \
		    .meta = ROW_MEMBERS({"id", "id"}, {"tool_name", "function"}), \
		    .known = KNOWN "tool_call_id function error"

static const struct row messages[] = {
    {"role=tool error.message", RESULT, .content = "error.message", .error = ""},
    {"role=tool", RESULT, .content = "content", .error = "error"},
    {"role=assistant", ROW_MESSAGE, .role = "role", .id = "id", .pieces = answer,
	.known = KNOWN "tool_calls model"},
    {"role", ROW_MESSAGE, .role = "role", .id = "id", .content = "content", .inside = parts,
	.known = KNOWN},
    {0},
};

static const struct row samples[] = {
    {"messages:array", ROW_INSIDE, .begins = true, .id = "uuid|id", .content = "messages",
	.inside = messages, .sets = ROW_MEMBERS({"session", "uuid|id"})},
    {0},
};

static const struct row records[] = {
    {"samples:array", ROW_INSIDE, .content = "samples", .inside = samples},
    {"messages:array", ROW_INSIDE, .content = ".", .inside = samples},
    {0},
};

static const char *const marks[] = {NULL};

static const struct row_dialect inspect = {.dialect = &inspect_dialect,
    .rows = records,
    .carried = carried,
    .answered = answered,
    .extra = "x_inspect",
    .variables = variables,
    .marks = marks};

static bool
has_messages(struct json_value sample)
{
	return json_find(sample, STR("messages")).type == JSON_ARRAY;
}

static enum dialect_sign
sign(struct json_value record)
{
	bool is_log = json_find(record, STR("eval")).type == JSON_OBJECT &&
	    has_messages(json_first(json_find(record, STR("samples"))));
	bool is_sample = json_find(record, STR("epoch")).type == JSON_NUMBER &&
	    json_has(record, STR("target")) && has_messages(record);

	return is_log || is_sample ? DIALECT_SIGN_CERTAIN : DIALECT_SIGN_NONE;
}

const struct dialect inspect_dialect = {
    .name = "inspect", .version = "eval.packages.inspect_ai", .rows = &inspect, .sign = sign};
