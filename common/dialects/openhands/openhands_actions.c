#include "dialects/openhands/openhands_actions.h"

#include "dialects/rows/row_reader.h"
#include "json/write.h"

bool
openhands_actions_images(struct row_reader *reader, struct row_place *place)
{
	struct json_writer w;

	for (struct json_walk walk = json_walk_of(json_find(place->value, STR("image_urls")));
	     json_walk_next(&walk);) {
		if (walk.value.type != JSON_STRING)
			continue;
		buf_reset(&reader->text);
		json_begin(&w, &reader->text, '{');
		json_member_string(&w, STR("type"), STR("image_url"));
		json_member_open(&w, STR("image_url"), '{');
		json_member_value(&w, STR("url"), walk.value);
		json_close(&w);
		json_close(&w);
		draft_add_block(reader->open->draft, json_written_whole(&reader->text));
	}
	return true;
}

static const struct row tool_call[] = {
    {"function.name:string", ROW_CALL, .id = "id", .name = "function.name",
	.arguments = "function.arguments", .known = "index id type function"},
    {0},
};

/* Reads the call of the answer that the action is of. */
static bool
add_call(struct row_reader *reader, struct row_place *place)
{
	struct json_value id = json_find(place->value, STR("tool_call_id"));
	struct json_value answer = json_find(place->value, STR("model_response"));
	struct json_value choice = json_first(json_find(answer, STR("choices")));
	struct json_value calls = json_find(json_find(choice, STR("message")), STR("tool_calls"));

	for (struct json_walk walk = json_walk_of(calls); json_walk_next(&walk);)
		if (str_eq(json_span(json_find(walk.value, STR("id"))), json_span(id)))
			return row_reader_read(reader, place, tool_call, walk.value);
	return false;
}

static const struct row answer_calls[] = {{"tool_call_id", ROW_ALSO, .also = add_call}, {0}};

/* An action beside a call: the words before it, and the call where the answer does not have it. */
static const struct row thoughts[] = {
    {"thought:string", ROW_TEXT, .content = "thought"},
    {"thought.text:string", ROW_TEXT, .content = "thought.text"},
    {NULL, ROW_ALSO},
    {0},
};

static const struct row actions[] = {
    {NULL, ROW_CALL, .id = "id", .name = "action", .arguments = "args"}, {0}};

static const struct row pictures[] = {{NULL, ROW_ALSO, .also = openhands_actions_images}, {0}};

static const struct row_piece called[] = {
    {"args", thoughts}, {"tool_call_metadata", answer_calls}, {NULL}};
static const struct row_piece done[] = {{"args", thoughts}, {".", actions}, {NULL}};
static const struct row_piece spoken[] = {{"args.content", NULL}, {"args", pictures}, {NULL}};

#define MESSAGE ROW_MESSAGE, .id = "id"
#define OLD "id timestamp source message action args content cause observation tool_call_metadata "
#define OBSERVED \
	ROW_RESULT, .record = "id", .meta = ROW_MEMBERS({"id", "id"}), \
		    .id = "tool_call_metadata.tool_call_id|cause", .content = "content", \
		    .known = OLD

const struct row openhands_actions[] = {
    {"action=system", MESSAGE, .role = "'system'", .content = "args.content", .known = OLD},
    {"action=message source=user", MESSAGE, .role = "'user'", .pieces = spoken, .known = OLD},
    {"action=message", MESSAGE, .role = "'assistant'", .pieces = spoken, .known = OLD},
    {"action=change_agent_state|recall|null|condensation_request", ROW_SKIP, .name = "action"},
    {"action=condensation args.summary:string", ROW_SUMMARY, .id = "id", .content = "args.summary",
	.verb = ROW_HISTORY_DROP_EACH, .at = "args.forgotten_event_ids"},
    {"action=condensation", ROW_SKIP, .name = "action", .verb = ROW_HISTORY_DROP_EACH,
	.at = "args.forgotten_event_ids"},
    {"action tool_call_metadata", MESSAGE, .role = "'assistant'", .pieces = called, .known = OLD},
    {"action args:object", MESSAGE, .role = "'assistant'", .pieces = done, .known = OLD},
    {"observation=agent_state_changed|recall|null", ROW_SKIP, .name = "observation"},
    {"observation=error|user_rejected cause|tool_call_metadata", OBSERVED, .error = ""},
    {"observation cause|tool_call_metadata", OBSERVED, .error = "success:false"},
    {0},
};
