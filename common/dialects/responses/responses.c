/*
 * The Responses API of OpenAI: items, one a line or in an array, bodies of requests, and answers.
 *
 *     {"type":"message","role":"user","content":[{"type":"input_text",…}]}     an item
 *     {"model":…,"instructions":…,"input":[item,…],"tools":[…],…}              a request
 *     {"object":"response","model":…,"output":[item,…],"usage":{…}}            an answer
 *
 * What a request says beside its items becomes a context record, as of a chat request.
 */

#include "dialects/request/request_rows.h"
#include "dialects/responses/responses_items.h"
#include "dialects/responses/responses_request.h"
#include "dialects/responses/responses_rules.h"
#include "dialects/responses/responses_writer.h"

static const char *const variables[] = {"model", "usage", NULL};

static const struct row_member none[] = {{NULL}};
static const struct row_member answered[] = {{"model", "%model"}, {"usage", "%usage"}, {NULL}};

static bool
put_context(struct row_reader *reader, struct row_place *place)
{
	return request_rows_context(reader, place, STR("input"));
}

static const struct row frame[] = {
    {NULL, ROW_ALSO, .also = put_context},
    {0},
};

static const struct row instructions[] = {
    {NULL, ROW_MESSAGE, .role = "'system'", .content = ".", .stays = true},
    {0},
};

static const struct row input[] = {
    {".:string", ROW_MESSAGE, .role = "'user'", .content = "."},
    {NULL, ROW_INSIDE, .content = ".", .inside = responses_items},
    {0},
};

static const struct row_piece request[] = {
    {".", frame}, {"instructions", instructions}, {"input", input}, {NULL}};

static const struct row records[] = {
    {"output:array !type", ROW_INSIDE, .content = "output", .inside = responses_items,
	.sets = ROW_MEMBERS({"model", "model"}, {"usage", "usage"})},
    {"input:text !type !role", ROW_INSIDE, .pieces = request},
    {".:array", ROW_INSIDE, .content = ".", .inside = responses_items},
    {"!type role content:text", ROW_INSIDE, .content = ".", .inside = responses_items},
    {"type=message|reasoning|function_call|function_call_output|custom_tool_call|"
     "custom_tool_call_output|local_shell_call|local_shell_call_output|shell_call|"
     "shell_call_output|apply_patch_call|apply_patch_call_output|computer_call|"
     "computer_call_output|web_search_call|compaction",
	ROW_INSIDE, .content = ".", .inside = responses_items},
    {"type=file_search_call|code_interpreter_call|image_generation_call|mcp_call|mcp_list_tools|"
     "mcp_approval_request|mcp_approval_response|tool_search_call|tool_search_output|program|"
     "program_output|item_reference|compaction_trigger|x_search_call",
	ROW_INSIDE, .content = ".", .inside = responses_items},
    {0},
};

static const char *const marks[] = {NULL};

static const struct row_dialect responses = {.dialect = &responses_dialect,
    .rows = records,
    .carried = none,
    .answered = answered,
    .extra = "x_responses",
    .variables = variables,
    .joins = true,
    .marks = marks};

const struct dialect responses_dialect = {.name = "responses",
    .takes = responses_items_is_message,
    .rows = &responses,
    .writer = responses_writer,
    .only_messages = true,
    .judge = responses_rules_judge,
    .follow = responses_rules_follow,
    .request = &responses_request_api};
