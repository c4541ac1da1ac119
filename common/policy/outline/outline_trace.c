#include "policy/outline/outline_trace.h"

#include "data/change.h"
#include "json/members.h"
#include "json/string.h"
#include "policy/facts/facts.h"
#include "policy/outline/outline_call.h"
#include "policy/text/line_start.h"

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

void
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
