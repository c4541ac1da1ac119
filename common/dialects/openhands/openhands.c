/*
 * Events of OpenHands, one on each line or in a list: of the SDK, which names the kind of each, and
 * of the versions before it, which have actions and observations.
 *
 *     {"kind":"MessageEvent","llm_message":{"role":…,"content":[…]},…}
 *     {"kind":"ActionEvent","thought":[…],"tool_call":{"id":…,"name":…,"arguments":…},…}
 *     {"kind":"ObservationEvent","tool_call_id":…,"observation":{"content":[…]},…}
 *     {"kind":"Condensation","forgotten_event_ids":[…],"summary":…,…}
 *     {"id":7,"action":"run","args":{"command":…,"thought":…},"tool_call_metadata":…}
 *     {"id":8,"observation":"run","cause":7,"content":…,"tool_call_metadata":…}
 *
 * The calls of one answer are events of their own, one after another, and become one message. Of
 * condensations, the newest summary is sent, before the event at its offset.
 */

#include "dialects/openhands/openhands_actions.h"
#include "dialects/rows/row_reader.h"
#include "json/string.h"

enum variable { CONDENSED };

static const char *const variables[] = {"condensed", NULL};

static const struct row_member carried[] = {{"timestamp", "timestamp"}, {NULL}};
#define RESPONSE "tool_call_metadata.model_response."
static const struct row_member answered[] = {
    {"model", RESPONSE "model"}, {"usage", RESPONSE "usage"}, {NULL}};

static const struct row texts[] = {
    {"type=text text:string", ROW_TEXT, .content = "text",
	.known = "type text cache_prompt enable_truncation"},
    {"type=image image_urls:array", ROW_ALSO, .also = openhands_actions_images},
    {"type=redacted_thinking data", ROW_PART, .sealed = "data"},
    {0},
};

static const struct row reasons[] = {
    {"!thinking_blocks[] reasoning_content:string", ROW_THINKING, .content = "reasoning_content"},
    {NULL, ROW_ALSO},
    {0},
};

static const struct row tool_call[] = {
    {"name:string", ROW_CALL, .id = "id", .name = "name", .arguments = "arguments",
	.known = "id name arguments origin"},
    {0},
};

static const struct row_piece said[] = {{"llm_message", reasons},
    {"llm_message.thinking_blocks", texts}, {"llm_message.content", texts},
    {"extended_content", texts}, {"llm_message.tool_calls", tool_call}, {NULL}};

static const struct row_piece acted[] = {{".", reasons}, {"thinking_blocks", texts},
    {"thought", texts}, {"tool_call", tool_call}, {NULL}};

static const struct row_piece prompt[] = {
    {"system_prompt", texts}, {"dynamic_context", texts}, {NULL}};

static const struct row whole[] = {{NULL, ROW_TEXT, .content = "."}, {0}};

/* The summary takes the place of the one before, and its own among the events that are left. */
static bool
place_summary(struct row_reader *reader, struct row_place *place)
{
	struct row_history *history = &reader->history;
	uint64_t offset = json_count(json_find(place->value, STR("summary_offset")));
	struct joined *before = NULL;
	struct json_value old = json_absent;

	if (reader->reading->all || reader->record == NULL)
		return true;
	if (reader->variable[CONDENSED].len > 0)
		old = json_written(&reader->variable[CONDENSED], 0);
	reader->reading->compacted += row_history_apply(history, ROW_HISTORY_DROP_EACH, old);
	row_reader_set(reader, CONDENSED, json_find(place->value, STR("id")));
	for (uint32_t i = 0; i + 1 < history->count && before == NULL; i++)
		if (!history->list[i]->is_gone && offset-- == 0)
			before = row_history_first(history->list[i]);
	if (before != NULL)
		joiner_move(&reader->joiner, reader->open, before);
	return true;
}

#define MESSAGE ROW_MESSAGE, .id = "id"
#define RESULT \
	ROW_RESULT, .record = "id", .meta = ROW_MEMBERS({"id", "id"}, {"tool_name", "tool_name"})
#define EVENT "id timestamp source kind "

static const struct row events[] = {
    {"kind=SystemPromptEvent", MESSAGE, .role = "'system'", .pieces = prompt,
	.known = EVENT "system_prompt dynamic_context"},
    {"kind=MessageEvent source=environment llm_message.role=user", MESSAGE, .role = "'user'",
	.pieces = said, .meta = ROW_MEMBERS({"origin", "'injected'"}),
	.known = EVENT "llm_message extended_content"},
    {"kind=MessageEvent", MESSAGE, .role = "llm_message.role", .pieces = said,
	.known = EVENT "llm_message extended_content"},
    {"kind=ActionEvent", MESSAGE, .role = "'assistant'", .pieces = acted,
	.sealed = "responses_reasoning_item.encrypted_content",
	.known = EVENT "thought reasoning_content thinking_blocks tool_call tool_call_id tool_name "
		       "action"},
    {"kind=ObservationEvent observation.content|observation.output:text", RESULT,
	.id = "tool_call_id", .content = "observation.content|observation.output", .inside = texts,
	.error = "observation.is_error:true", .success = "observation.is_error:false",
	.within = "observation", .known = "content output is_error kind"},
    {"kind=ObservationEvent observation", RESULT, .id = "tool_call_id", .content = "observation",
	.inside = whole},
    {"kind=AgentErrorEvent", RESULT, .id = "tool_call_id", .content = "error", .error = ""},
    {"kind=UserRejectObservation", RESULT, .id = "tool_call_id", .content = "rejection_reason",
	.prefix = "Action rejected: ", .suffix = "", .error = ""},
    {"kind=Condensation summary:string", ROW_SUMMARY, .id = "id", .content = "summary",
	.verb = ROW_HISTORY_DROP_EACH, .at = "forgotten_event_ids", .also = place_summary},
    {"kind=Condensation", ROW_SKIP, .name = "kind", .verb = ROW_HISTORY_DROP_EACH,
	.at = "forgotten_event_ids"},
    {"kind=ConversationStateUpdateEvent|PauseEvent|CondensationRequest|TokenEvent|"
     "LLMCompletionLogEvent|ConversationErrorEvent",
	ROW_SKIP, .name = "kind"},
    {NULL, ROW_INSIDE, .content = ".", .inside = openhands_actions},
    {0},
};

static const struct row lists[] = {
    {".:array", ROW_INSIDE, .content = ".", .inside = events},
    {NULL, ROW_INSIDE, .content = ".", .inside = events},
    {0},
};

static const struct row records[] = {
    {".:array", ROW_INSIDE, .content = ".", .inside = lists},
    {"history:array", ROW_INSIDE, .content = "history", .inside = lists},
    {NULL, ROW_INSIDE, .content = ".", .inside = events},
    {0},
};

static const char *const marks[] = {"Condensation", "condensation", NULL};

static const struct row_dialect openhands = {.dialect = &openhands_dialect,
    .rows = records,
    .carried = carried,
    .answered = answered,
    .extra = "x_openhands",
    .variables = variables,
    .joins = true,
    .marks = marks};

const struct dialect openhands_dialect = {.name = "openhands", .rows = &openhands};
