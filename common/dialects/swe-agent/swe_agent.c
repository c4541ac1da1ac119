/*
 * Trajectories of SWE-agent, whose history is the conversation, and of mini-swe-agent, one document
 * each.
 *
 *     {"trajectory":[…],"history":[message,…],"info":{…},…}
 *     {"info":{…},"messages":[message,…],"trajectory_format":"mini-swe-agent-1.1"}
 *
 * A message is one of OpenAI's, whose result names its call in a list. If the agent has no tools, a
 * call is text of the assistant and its output text of the user, and both stay text.
 */

#include "dialects/rows/row_reader.h"

static const char *const variables[] = {NULL};

static const struct row_member carried[] = {
    {"timestamp", "timestamp|extra.timestamp"}, {"agent_id", "agent"}, {NULL}};

static const struct row_member answered[] = {
    {"model", "extra.response.model"}, {"usage", "extra.response.usage"}, {NULL}};

static const struct row calls[] = {
    {"function.name", ROW_CALL, .id = "id", .name = "function.name",
	.arguments = "function.arguments", .known = "id type index function"},
    {0},
};

static const struct row parts[] = {
    {"type=text text:string", ROW_TEXT, .content = "text", .known = "type text cache_control"},
    {"type=redacted_thinking data", ROW_PART, .sealed = "data"},
    {0},
};

static const struct row_piece answer[] = {
    {"thinking_blocks", parts}, {"content", parts}, {"tool_calls", calls}, {NULL}};

/* Thoughts and actions are also in the content and the calls. */
#define KNOWN "role content agent message_type cache_control "
#define MESSAGE ROW_MESSAGE, .content = "content", .inside = parts
#define DEMO .meta = ROW_MEMBERS({"kind", "'demo'"})

static const struct row messages[] = {
    {"role=tool", ROW_RESULT, .id = "tool_call_id|tool_call_ids[]", .content = "content",
	.inside = parts, .known = KNOWN "tool_call_id tool_call_ids"},
    {"role=assistant", ROW_MESSAGE, .role = "role", .pieces = answer,
	.known = KNOWN "thought action tool_calls thinking_blocks extra"},
    {"is_demo:true role", MESSAGE, .role = "role", DEMO, .known = KNOWN "is_demo"},
    {"role=exit", MESSAGE, .role = "'user'", .known = KNOWN},
    {"role", MESSAGE, .role = "role", .known = KNOWN},
    {0},
};

static const struct row records[] = {
    {"history:array", ROW_INSIDE, .content = "history", .inside = messages},
    {"messages:array", ROW_INSIDE, .content = "messages", .inside = messages},
    {0},
};

static const char *const marks[] = {NULL};

static const struct row_dialect swe_agent = {.dialect = &swe_agent_dialect,
    .rows = records,
    .carried = carried,
    .answered = answered,
    .extra = "x_swe_agent",
    .variables = variables,
    .marks = marks};

const struct dialect swe_agent_dialect = {.name = "swe-agent", .rows = &swe_agent};
