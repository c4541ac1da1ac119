/*
 * Traces in the format of Hugging Face's viewer (STS): a header, and a message a line.
 *
 *     {"type":"session","harness":"my-agent","id":"s","name":"a title"}
 *     {"type":"message","message":{"role":"assistant","content":"…","toolCalls":[call,…]}}
 *     {"type":"message","message":{"role":"tool","toolCallId":"c1","content":"…"}}
 */

#include "dialects/rows/row_reader.h"

static const char *const variables[] = {"session", NULL};

static const struct row_member carried[] = {
    {"session_id", "%session"}, {"timestamp", "timestamp"}, {NULL}};

static const struct row_member answered[] = {{"model", "model"}, {NULL}};

static const struct row calls[] = {
    {"function.name", ROW_CALL, .id = "id", .name = "function.name",
	.arguments = "function.arguments", .known = "id type function"},
    {0},
};

static const struct row thoughts[] = {
    {"reasoningContent:string", ROW_THINKING, .content = "reasoningContent"},
    {NULL, ROW_ALSO},
    {0},
};

static const struct row parts[] = {
    {"type=text text:string", ROW_TEXT, .content = "text", .known = "type text"},
    {0},
};

static const struct row_piece answer[] = {
    {".", thoughts}, {"content", parts}, {"toolCalls", calls}, {NULL}};

#define KNOWN "role content timestamp model "

static const struct row messages[] = {
    {"role=tool", ROW_RESULT, .id = "toolCallId", .content = "content", .inside = parts,
	.known = KNOWN "toolCallId"},
    {"role=assistant", ROW_MESSAGE, .role = "role", .pieces = answer,
	.known = KNOWN "reasoningContent toolCalls"},
    {"role", ROW_MESSAGE, .role = "role", .content = "content", .inside = parts, .known = KNOWN},
    {0},
};

static const struct row records[] = {
    {"type=session", ROW_SKIP, .begins = true, .id = "id", .sets = ROW_MEMBERS({"session", "id"})},
    {"type=message message:object", ROW_INSIDE, .content = "message", .inside = messages},
    {0},
};

static const char *const marks[] = {NULL};

static const struct row_dialect hf_trace = {.dialect = &hf_trace_dialect,
    .rows = records,
    .carried = carried,
    .answered = answered,
    .extra = "x_hf_trace",
    .variables = variables,
    .marks = marks};

const struct dialect hf_trace_dialect = {.name = "hf-trace", .rows = &hf_trace};
