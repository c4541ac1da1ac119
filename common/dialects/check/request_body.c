#include "dialects/check/request_body.h"

#include "data/message/texts.h"
#include "dialects/check/talk.h"
#include "dialects/request/request.h"
#include "json/canon.h"

static bool
is_same(struct request_body *body, struct json_value a, struct json_value b)
{
	for (int i = 0; i < 2; i++) {
		buf_reset(&body->canon[i]);
		json_canon(i == 0 ? a : b, &body->canon[i], &body->arena);
	}
	arena_reset(&body->arena);
	return str_eq(buf_str(&body->canon[0]), buf_str(&body->canon[1]));
}

/* The API takes a tool if the writer would not change it. */
static void
judge_tools(struct request_body *body, struct inspection *inspection, struct json_value tools)
{
	struct arena arena = ARENA_INIT;

	if (tools.type == JSON_ABSENT)
		return;
	if (tools.type != JSON_ARRAY || tools.len <= 2)
		inspection_find(inspection, VIOLATION_BAD_TOOL, tools);
	if (inspection->dialect->request->functions.len > 0)
		tools = definition_tools(tools, &arena);
	for (struct json_walk walk = json_walk_list(tools); json_walk_next(&walk);) {
		buf_reset(&body->text);
		if (!inspection->dialect->request->write_tool(walk.value, &body->text) ||
		    !is_same(body, walk.value, json_written(&body->text, 0)))
			inspection_find(inspection, VIOLATION_BAD_TOOL, walk.value);
	}
	arena_free(&arena);
}

/* The same for the format of the answer, under the name that the writer gives it. */
static void
judge_format(struct request_body *body, struct inspection *inspection, struct json_value request)
{
	const struct request_api *api = inspection->dialect->request;
	bool is_held = !str_eq(api->format, STR("response_format"));
	struct json_value format = json_find(request, api->format);
	struct json_walk walk;
	struct json_writer w;
	bool is_written;

	if (is_held)
		format = json_find(format, STR("format"));
	if (format.type == JSON_ABSENT)
		return;
	buf_reset(&body->text);
	json_begin(&w, &body->text, '{');
	is_written = api->put_format(format, json_absent, &w);
	json_close(&w);
	walk = json_walk_of(json_written(&body->text, 0));
	if (is_written && json_walk_next(&walk))
		is_written = is_same(
		    body, format, is_held ? json_find(walk.value, STR("format")) : walk.value);
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
	if (api->needs_model && (model.type != JSON_STRING || model.len <= 2))
		inspection_find_at(
		    inspection, VIOLATION_NO_MODEL, &inspection->line, STR("\"model\""));
	if (api->needs_max_tokens && json_find(request, STR("max_tokens")).type != JSON_NUMBER)
		inspection_find_at(
		    inspection, VIOLATION_NO_MAX_TOKENS, &inspection->line, STR("\"max_tokens\""));
}

static void
judge_system(struct request_body *body, struct inspection *inspection, struct json_value system)
{
	struct message message;

	if (system.type == JSON_ABSENT)
		return;
	if (inspection->dialect->follow == NULL) {
		message_write_system(&body->text, system);
		buf_pad(&body->text);
		message_parse(&message, buf_str(&body->text));
		inspection_judge(inspection, &message);
	} else if (inspection->dialect->request->has_text_system) {
		if (system.type != JSON_STRING && system.type != JSON_NULL)
			inspection_find(inspection, VIOLATION_BAD_CONTENT, system);
	} else {
		message_parse(&message, json_span(system));
		inspection_judge(inspection, &message);
	}
}

void
request_body_judge(
    struct request_body *body, struct inspection *inspection, struct json_value request)
{
	const struct request_api *api = inspection->dialect->request;

	judge_members(inspection, request);
	if (api->system.len > 0)
		judge_system(body, inspection, json_find(request, api->system));
	talk_judge_list(inspection, json_find(request, api->messages), true);
	judge_tools(body, inspection, json_find(request, STR("tools")));
	judge_format(body, inspection, request);
}

void
request_body_free(struct request_body *body)
{
	buf_free(&body->text);
	buf_free(&body->canon[0]);
	buf_free(&body->canon[1]);
	arena_free(&body->arena);
}
