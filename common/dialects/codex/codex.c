/*
 * Session files of Codex CLI (rollouts). A line is an envelope around an item
 * of the Responses API, or around an event. Old files have the items without envelopes.
 *
 *     session_meta      the session: its id, and the system prompt
 *     turn_context the model and the turn of the lines after it
 *     response_item     messages, reasoning, calls and their outputs
 *     compacted items that replace all before
 *     event_msg the display, which repeats the items; only usage, and turns that were
 *                       taken back, are in events alone
 *
 * Items of one answer of the model become one message.
 */

#include "dialects/responses/responses_items.h"
#include "dialects/load/load_forms.h"
#include "dialects/rows/row_reader.h"
#include "dialects/session_file/session_forms.h"

enum variable { SESSION, MODEL, TURN, USAGE, TOTAL };

static const char *const variables[] = {
    "session", "model", "turn", "usage", "total", "agent", "caller", NULL};

static const struct row_member carried[] = {{"session_id", "%session"}, {"agent_id", "%agent"},
    {"parent_execution_id", "%caller"}, {"execution_id", "%turn"}, {"timestamp", "/timestamp"},
    {NULL}};

static const struct row_member answered[] = {{"model", "%model"}, {"usage", "%usage"}, {NULL}};

static const struct injected_text injected_texts[] = {
    {STR_INIT("<environment_context>"), STR_INIT("")},
    {STR_INIT("<user_instructions>"), STR_INIT("")},
    {STR_INIT("<permissions"), STR_INIT("")},
    {STR_INIT("<turn_aborted>"), STR_INIT("")},
    {STR_INIT("<skill"), STR_INIT("")},
    {STR_INIT("<collaboration_mode"), STR_INIT("")},
    {STR_INIT("<apps_instructions"), STR_INIT("")},
    {STR_INIT("<plugins_instructions"), STR_INIT("")},
    {STR_INIT("<multi_agent_mode"), STR_INIT("")},
    {STR_INIT("<personality_spec"), STR_INIT("")},
    {STR_INIT("<model_switch"), STR_INIT("")},
    {STR_INIT("<subagent_notification>"), STR_INIT("")},
    {STR_INIT("# AGENTS.md instructions"), STR_INIT("")},
};

static const struct injected injected = {injected_texts, ARRAY_COUNT(injected_texts)};

/* Gives the message that is being gathered the usage of its request, or else the next message.
 * Events that only repeat the sum of all requests say nothing new. */
static bool
note_usage(struct row_reader *reader, struct row_place *place)
{
	struct json_value usage = row_place_find(place, &place->plan->content);
	struct json_value total = row_place_find(place, &place->plan->at);

	if (usage.type != JSON_OBJECT ||
	    (total.type == JSON_OBJECT &&
		str_eq(json_span(total), buf_str(&reader->variable[TOTAL]))))
		return true;
	row_reader_set(reader, TOTAL, total);
	if (reader->open != NULL && reader->open->draft->usage.len == 0)
		draft_set_usage(reader->open->draft, usage);
	else
		row_reader_set(reader, USAGE, usage);
	return true;
}

static const struct row instructions[] = {
    {"text:string", ROW_MESSAGE, .role = "'system'", .content = "text", .stays = true},
    {0},
};

/* Items that take the place of others: one of them is the summary. */
static const struct row replacements[] = {
    {"type=message role=user content[].text^'Another language model started to solve'", ROW_SUMMARY,
	.role = "role", .id = "id", .known = "type role content id",
	.inside = responses_items_parts},
    {NULL, ROW_INSIDE, .content = ".", .inside = responses_items},
    {0},
};

static const struct row lines[] = {
    {"type=response_item payload:object", ROW_INSIDE, .content = "payload",
	.inside = responses_items},
    {"type=event_msg payload.type=token_count", ROW_SKIP, .name = "payload.type",
	.content = "payload.info.last_token_usage", .at = "payload.info.total_token_usage",
	.also = note_usage},
    {"type=event_msg payload.type=task_started", ROW_SKIP, .name = "payload.type",
	.sets = ROW_MEMBERS({"turn", "payload.turn_id"})},
    {"type=event_msg payload.type=thread_rolled_back", ROW_SKIP, .name = "payload.type",
	.verb = ROW_HISTORY_DROP_TURNS, .at = "payload.num_turns"},
    {"type=event_msg payload:object", ROW_SKIP, .name = "payload.type"},
    {"type=turn_context payload:object", ROW_SKIP,
	.sets = ROW_MEMBERS({"model", "payload.model"}, {"turn", "payload.turn_id"})},
    {"type=session_meta payload:object caller", ROW_INSIDE, .content = "payload.base_instructions",
	.inside = instructions, .begins = true, .id = "payload.id", .parent = "caller",
	.sets =
	    ROW_MEMBERS({"session", "payload.id"}, {"agent", "payload.id"}, {"caller", "caller"})},
    {"type=session_meta payload:object", ROW_INSIDE, .content = "payload.base_instructions",
	.inside = instructions, .begins = true, .id = "payload.id|payload.session_id",
	.parent = "payload.forked_from_id",
	.sets = ROW_MEMBERS({"session", "payload.id|payload.session_id"})},
    {"type=compacted payload.replacement_history:array", ROW_INSIDE,
	.content = "payload.replacement_history", .inside = replacements,
	.verb = ROW_HISTORY_DROP_ALL},
    {"type=compacted payload.message:string", ROW_SUMMARY, .content = "payload.message",
	.verb = ROW_HISTORY_KEEP_TURNS},
    {"type=inter_agent_communication payload.content:string !payload.encrypted_content",
	ROW_MESSAGE, .role = "'user'", .id = "payload.id", .content = "payload.content",
	.meta = ROW_MEMBERS({"origin", "'injected'"}), .within = "payload", .known = "id content"},
    {"type=inter_agent_communication payload:object", ROW_PART,
	.sealed = "payload.encrypted_content"},
    {"type=world_state|token_usage_record|inter_agent_communication_metadata", ROW_SKIP},
    /* Without envelopes: */
    {"record_type", ROW_SKIP, .name = "record_type"},
    {"!type !role id:string timestamp:string", ROW_SKIP, .name = "'session_meta'", .begins = true,
	.id = "id", .sets = ROW_MEMBERS({"session", "id"})},
    {"type=message|reasoning|function_call|function_call_output|custom_tool_call|"
     "custom_tool_call_output|local_shell_call|web_search_call|ghost_snapshot|tool_call|"
     "tool_result",
	ROW_INSIDE, .content = ".", .inside = responses_items},
    {0},
};

static const char *const marks[] = {"thread_rolled_back", "\"compacted\"", NULL};

static const struct row_dialect codex = {.dialect = &codex_dialect,
    .rows = lines,
    .carried = carried,
    .answered = answered,
    .extra = "x_codex",
    .variables = variables,
    .injected = &injected,
    .joins = true,
    .grows = true,
    .marks = marks};

const struct dialect codex_dialect = {.name = "codex",
    .version = "payload.cli_version|cli_version",
    .takes = responses_items_is_message,
    .rows = &codex,
    .writer = session_forms_codex,
    .is_session = true,
    .load = &load_forms_codex};
