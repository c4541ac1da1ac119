#include "policy/outline/outline_dropped.h"

#include "data/change.h"
#include "policy/framing.h"
#include "policy/outline/outline_call.h"
#include "policy/outline/outline_said.h"
#include "policy/outline/outline_trace.h"

bool
outline_dropped_is_cut(const struct session *t, uint32_t index)
{
	const struct entry *entry = &t->entry[index];
	const struct change *change = change_of(t, index);

	return !entry->is_dropped && !entry->outside && entry->role == ROLE_TOOL &&
	    entry->call != NONE && entry->is_compacted && !change_came_compacted(t, index) &&
	    !(change != NULL && str_eq(change->rule->action, STR("dedupe")));
}

/* Adds the lines of a result that stays. They stand in front of its call, should that go later. */
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
