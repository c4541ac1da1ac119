/*
 * Trajectories in ATIF, the format of Harbor: one document of steps. A step of the agent contains
 * its calls and their results.
 *
 *     {"schema_version":"ATIF-v1.7","agent":{…},"steps":[step,…]}
 *     {"step_id":2,"source":"agent","message":…,"tool_calls":[…],"observation":{"results":[…]}}
 *
 * A step of the system that replaces the context by its observation is a compaction.
 */

#include "dialects/rows/row_reader.h"

static const char *const variables[] = {"session", "model", NULL};

static const struct row_member carried[] = {
    {"session_id", "%session"}, {"timestamp", "timestamp"}, {NULL}};

static const struct row_member answered[] = {
    {"model", "model_name|%model"}, {"usage", "metrics"}, {NULL}};

static const struct row parts[] = {
    {"type=text text:string", ROW_TEXT, .content = "text", .known = "type text"},
    {"type=image source.path:string", ROW_IMAGE, .content = "source.path", .known = "type source"},
    {0},
};

static const struct row calls[] = {
    {"function_name", ROW_CALL, .id = "tool_call_id", .name = "function_name",
	.arguments = "arguments", .known = "tool_call_id function_name arguments"},
    {0},
};

#define RESULT \
	ROW_RESULT, .id = "source_call_id", .content = "content", .inside = parts, \
		    .known = "source_call_id content"

/* A result without a call is the effect of the step before, and becomes a message of the user. */
static const struct row results[] = {
    {"source_call_id extra.is_error:true", RESULT, .error = ""},
    {"source_call_id extra.error", RESULT, .error = ""},
    {"source_call_id extra.is_error:false", RESULT, .success = ""},
    {"source_call_id", RESULT},
    {NULL, ROW_MESSAGE, .role = "'user'", .content = "content", .inside = parts,
	.known = "content source_call_id", .meta = ROW_MEMBERS({"origin", "'injected'"})},
    {0},
};

static const struct row thoughts[] = {
    {"reasoning_content:string", ROW_THINKING, .content = "reasoning_content"},
    {NULL, ROW_ALSO},
    {0},
};

#define KNOWN "step_id timestamp source message "
#define AGENT KNOWN "model_name reasoning_content tool_calls observation metrics"
#define STEP ROW_MESSAGE, .id = "step_id", .content = "message", .inside = parts

static const struct row_piece answer[] = {
    {".", thoughts}, {"message", parts}, {"tool_calls", calls}, {NULL}};

/* The message of a step; its observation is read beside it. */
static const struct row step[] = {
    {"source=agent", ROW_MESSAGE, .role = "'assistant'", .id = "step_id", .pieces = answer,
	.known = AGENT},
    {"source=user", STEP, .role = "'user'", .known = KNOWN "observation"},
    {"source=system", STEP, .role = "'system'", .known = KNOWN "observation"},
    {0},
};

#define REPLACED \
	"source=system extra.context_management.type=compaction " \
	"extra.context_management.boundary=replace"

static const struct row_piece both[] = {{".", step}, {"observation.results", results}, {NULL}};

static const struct row steps[] = {
    {REPLACED " observation.results[].content", ROW_SUMMARY, .id = "step_id",
	.content = "observation.results[].content", .inside = parts, .verb = ROW_HISTORY_DROP_ALL,
	.known = KNOWN "observation"},
    {"source", ROW_INSIDE, .pieces = both},
    {0},
};

static const struct row agents[] = {{NULL, ROW_SKIP, .name = "'trajectory of a sub-agent'"}, {0}};

static const struct row_piece session[] = {
    {"steps", steps}, {"subagent_trajectories", agents}, {NULL}};

static const struct row records[] = {
    {"steps:array", ROW_INSIDE, .begins = true, .id = "session_id|trajectory_id", .pieces = session,
	.sets =
	    ROW_MEMBERS({"session", "session_id|trajectory_id"}, {"model", "agent.model_name"})},
    {"source step_id", ROW_INSIDE, .content = ".", .inside = steps},
    {0},
};

static const struct row_dialect atif = {.dialect = &atif_dialect,
    .rows = records,
    .carried = carried,
    .answered = answered,
    .extra = "x_atif",
    .variables = variables};

const struct dialect atif_dialect = {.name = "atif", .version = "schema_version", .rows = &atif};
