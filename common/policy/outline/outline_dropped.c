#include "policy/outline/outline_dropped.h"

#include "data/change.h"
#include "json/string.h"
#include "policy/framing.h"
#include "policy/outline/outline_call.h"
#include "policy/outline/outline_said.h"
#include "policy/text/line_start.h"

/*
 * The calls that a trace artifact (policy/isolate/artifacts.c) replaces, as steps of an outline
 * without details, since their results were dropped before:
 *
 *     [trace] read a.c: ok, 9 kB; bash make test: error, 2 kB      read a.c
 *                                                                  $ make test (failed)
 */

enum { CALL_MOST = 200 }; /* bytes of a line */

/* Whether the call changed or ran something. */
static bool
did(const struct call *call)
{
	return call->use.op == TOOL_EDIT || call->use.op == TOOL_WRITE ||
	    (call->use.op == TOOL_SHELL && !outline_call_reads(call->use.target));
}

/* Adds a call of the facts, if it is one. */
static void
add_fact(struct outline_step *step, struct json_value fact)
{
	struct json_value tool = json_find(fact, STR("tool")), op = json_find(fact, STR("op"));
	struct json_value target = json_find(fact, STR("target"));
	struct json_value outcome = json_find(fact, STR("outcome"));
	struct buf name = BUF_INIT, used_on = BUF_INIT;
	struct call call = {.result = NONE};

	if (tool.type != JSON_STRING || op.type != JSON_STRING)
		return;
	call.use.op = tool_op_of(json_text(op, &name));
	call.name = json_text(tool, &name);
	if (target.type == JSON_STRING)
		call.use.target = json_text(target, &used_on);
	step->outcome = json_is(outcome, STR("ok")) ? OUTLINE_AGAIN_OK :
	    json_is(outcome, STR("error"))          ? OUTLINE_AGAIN_FAILED :
						      OUTLINE_AGAIN_OPEN;
	outline_call_write_head(&call, &step->text);
	outline_step_add(step, OUTLINE_CALL, did(&call) ? OUTLINE_DONE : OUTLINE_LOOKED);
	buf_free(&name);
	buf_free(&used_on);
}

/* One that is hardly shorter than its calls has no facts: its lines say how they ended. */
static void
add_lines(struct outline_step *step, struct str text)
{
	text = str_rest(text, str_has_prefix(text, STR("[trace] ")) ? strlen("[trace] ") : 0);
	step->outcome = OUTLINE_AGAIN_OPEN;
	while (text.len > 0) {
		buf_reset(&step->text);
		line_start_add(str_take_line(&text), CALL_MOST, &step->text);
		outline_step_add(step, OUTLINE_CALL, OUTLINE_LOOKED);
	}
}

/* Adds the calls of the artifact, which is that entry. */
static void
outline_trace_add(struct outline_step *step, uint32_t artifact)
{
	struct entry entry = change_base(step->session, artifact);
	struct json_value facts = facts_of(&entry), calls = json_find(facts, STR("calls"));
	struct buf text = BUF_INIT;

	outline_step_begin(step);
	step->was_told = false;
	if (facts.type != JSON_OBJECT)
		add_lines(step, change_base_text(step->session, artifact, &text));
	add_fact(step, facts);
	for (struct json_walk walk = json_walk_list(calls); json_walk_next(&walk);)
		add_fact(step, walk.value);
	buf_free(&text);
}

bool
outline_dropped_is_cut(const struct session *t, uint32_t index)
{
	const struct entry *entry = &t->entry[index];
	const struct change *change = change_of(t, index);

	return !entry->is_dropped && !entry->outside && entry->role == ROLE_TOOL &&
	    entry->call != NONE && entry->is_compacted && !change_came_compacted(t, index) &&
	    !(change != NULL && str_eq(change->rule->action, STR("dedupe")));
}

/* Adds the lines of a result that stays. They come before its call, in case that is dropped
 * later. */
static void
add_cut(struct outline_step *step, const struct places *places, const struct call *call)
{
	struct outline *outline = step->outline;
	uint64_t behind = outline->behind, least = 0,
		 place = places_of(places, step->session->group[call->group].entry);

	if (outline->count > 0)
		least = outline->line[outline->count - 1].behind;
	if (place <= behind)
		outline->behind = place > least ? place - 1 : least;
	outline_call_add_cut(step, call);
	outline->behind = behind;
}

static void
add_dropped(struct outline_step *step, uint32_t index, const struct text_call_parts *calls,
    struct buf *text)
{
	const struct session *t = step->session;
	const struct entry *entry = &t->entry[index];
	struct str key;

	if (text_call_part_of(calls, index) == TEXT_CALL_RESULT) {
		outline_step_begin(step);
		if (step->outline->count > 0)
			outline_step_add_details(step,
			    text_call_result(change_base_text(t, index, text)), OUTLINE_STEP_RUN);
		return;
	}
	outline_step_take_key(step, index);
	if (entry->is_artifact) {
		outline_trace_add(step, index);
		return;
	}
	if (framing_is_user(entry))
		outline_step_add_user(step, change_base_text(t, index, text));
	if (entry->role != ROLE_ASSISTANT)
		return;
	if (text_call_part_of(calls, index) == TEXT_CALL_CALL) {
		outline_call_add_text(step, change_base_text(t, index, text));
		return;
	}
	outline_said_add(step, change_base_text(t, index, text));
	key = step->key;
	for (uint32_t k = 0; entry->has_calls && k < t->group[entry->group].calls; k++) {
		step->key = key;
		outline_call_add(step, &t->call[t->group[entry->group].first_call + k]);
	}
}

void
outline_dropped_add(struct outline *outline, const struct session *t, const struct facts *facts,
    struct outline_earlier *earlier, uint32_t first)
{
	struct outline_step step = {.outline = outline, .session = t};
	struct buf text = BUF_INIT;

	for (uint32_t i = 0; i < t->count; i++) {
		const struct entry *entry = &t->entry[i];
		uint64_t place = i >= first ? places_of(&facts->places, i) : 0;

		outline_earlier_add(earlier, place);
		if (outline_dropped_is_cut(t, i))
			add_cut(&step, &facts->places, &t->call[entry->call]);
		if (entry->is_dropped && entry->kind == RECORD_MESSAGE && !entry->outside &&
		    !entry->is_summary)
			add_dropped(&step, i, &facts->calls, &text);
		else if (place > 0 && !entry->is_dropped)
			outline->behind = place;
	}
	outline_earlier_add(earlier, UINT64_MAX);
	buf_free(&text);
	buf_free(&step.text);
}
