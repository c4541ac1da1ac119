#include "dialects/check/checker.h"

#include "data/message/texts.h"
#include "dialects/request/request.h"
#include "json/canon.h"

static bool
is_same(struct checker_body *body, struct json_value a, struct json_value b)
{
	for (int i = 0; i < 2; i++) {
		buf_reset(&body->canon[i]);
		json_canon(i == 0 ? a : b, &body->canon[i], &body->arena);
	}
	arena_reset(&body->arena);
	return str_eq(buf_str(&body->canon[0]), buf_str(&body->canon[1]));
}

/* A tool that the writer would leave as it is, the API takes. */
static void
judge_tools(struct checker_body *body, struct inspection *inspection, struct json_value tools)
{
	if (tools.type == JSON_ABSENT)
		return;
	if (tools.type != JSON_ARRAY || tools.len <= 2)
		inspection_find(inspection, VIOLATION_BAD_TOOL, tools);
	for (struct json_walk walk = json_walk_list(tools); json_walk_next(&walk);) {
		buf_reset(&body->text);
		if (!inspection->dialect->request->write_tool(walk.value, &body->text) ||
		    !is_same(body, walk.value, json_written(&body->text, 0)))
			inspection_find(inspection, VIOLATION_BAD_TOOL, walk.value);
	}
}

/* The same for the format of the answer, under the name that the writer gives it. */
static void
judge_format(struct checker_body *body, struct inspection *inspection, struct json_value request)
{
	const struct request_api *api = inspection->dialect->request;
	struct json_value config = json_find(request, STR("output_config"));
	struct json_value format = json_find(request, STR("response_format"));
	struct json_walk walk;
	struct json_writer w;
	bool is_written;

	if (config.type == JSON_OBJECT && api->has_system)
		format = json_find(config, STR("format"));
	if (format.type == JSON_ABSENT)
		return;
	buf_reset(&body->text);
	json_begin(&w, &body->text, '{');
	is_written = api->put_format(format, (struct json_value){0}, &w);
	json_close(&w);
	walk = json_walk_of(json_written(&body->text, 0));
	if (is_written && json_walk_next(&walk))
		is_written = is_same(body, format,
		    api->has_system ? json_find(walk.value, STR("format")) : walk.value);
	if (!is_written)
		inspection_find_at(inspection, VIOLATION_BAD_FORMAT, &inspection->line,
		    STR("\"response_format\""));
}

static void
judge_members(struct inspection *inspection, struct json_value request)
{
	const struct request_api *api = inspection->dialect->request;
	struct json_value model = json_find(request, STR("model"));
	struct refusals refusals;

	refusals.found = 0;
	refusals_add_unknown(&refusals, request, api->member, api->count);
	inspection_find_refusals(inspection, &refusals);
	if (model.type != JSON_STRING || model.len <= 2)
		inspection_find_at(
		    inspection, VIOLATION_NO_MODEL, &inspection->line, STR("\"model\""));
	if (api->needs_max_tokens && json_find(request, STR("max_tokens")).type != JSON_NUMBER)
		inspection_find_at(
		    inspection, VIOLATION_NO_MAX_TOKENS, &inspection->line, STR("\"max_tokens\""));
}

static void
judge_system(struct checker_body *body, struct inspection *inspection, struct json_value system)
{
	struct message message;

	if (system.type == JSON_ABSENT || !inspection->dialect->request->has_system)
		return;
	message_write_system(&body->text, system);
	buf_pad(&body->text);
	message_parse(&message, buf_str(&body->text));
	inspection_judge(inspection, &message);
}

static void
take(struct stage *stage, struct record *record)
{
	struct checker *checker = (struct checker *)stage;
	struct message read;
	struct json_value value;

	if (record->kind == RECORD_BAD || record->kind == RECORD_BLANK)
		return;
	checker->inspection.line =
	    (struct line){.file = record->line.file, .number = record->line.number};
	value = record_message(record, &read)->value;
	if (record->kind == RECORD_MESSAGE)
		talk_add(&checker->lines, &checker->inspection, record->message);
	else if (value.type == JSON_ARRAY)
		talk_judge_list(&checker->inspection, value, false);
	else if (json_find(value, STR("messages")).type == JSON_ARRAY) {
		judge_members(&checker->inspection, value);
		judge_system(&checker->body, &checker->inspection, json_find(value, STR("system")));
		talk_judge_list(&checker->inspection, json_find(value, STR("messages")), true);
		judge_tools(&checker->body, &checker->inspection, json_find(value, STR("tools")));
		judge_format(&checker->body, &checker->inspection, value);
	} else {
		inspection_find(
		    &checker->inspection, VIOLATION_NO_MESSAGE, json_find(value, STR("type")));
	}
}

static void
end(struct stage *stage)
{
	struct checker *checker = (struct checker *)stage;

	talk_end(&checker->lines, &checker->inspection);
}

void
checker_init(struct checker *checker, const struct dialect *dialect, enum systems_place place)
{
	*checker = (struct checker){.stage = {.take = take, .end = end},
	    .inspection = {.dialect = dialect, .place = place}};
}

void
checker_free(struct checker *checker)
{
	talk_free(&checker->lines);
	buf_free(&checker->inspection.findings);
	buf_free(&checker->body.text);
	buf_free(&checker->body.canon[0]);
	buf_free(&checker->body.canon[1]);
	arena_free(&checker->body.arena);
}
