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

void
outline_dropped_add(
    struct outline *outline, const struct session *t, const struct text_call_parts *calls)
{
	struct outline_step step = {.outline = outline, .session = t};
	struct buf text = BUF_INIT;
	struct str key;

	for (uint32_t i = 0; i < t->count; i++) {
		const struct entry *entry = &t->entry[i];

		if (outline_dropped_is_cut(t, i))
			outline_call_add_cut(&step, &t->call[entry->call]);
		if (!entry->is_dropped || entry->kind != RECORD_MESSAGE || entry->outside ||
		    entry->is_summary)
			continue;
		if (text_call_part_of(calls, i) == TEXT_CALL_RESULT) {
			outline_step_begin(&step);
			if (outline->count > 0)
				outline_step_add_details(&step,
				    text_call_result(change_base_text(t, i, &text)),
				    OUTLINE_STEP_RUN);
			continue;
		}
		outline_step_take_key(&step, i);
		if (entry->is_artifact) {
			outline_trace_add(&step, i);
			continue;
		}
		if (framing_is_user(entry))
			outline_step_add_user(&step, change_base_text(t, i, &text));
		if (entry->role != ROLE_ASSISTANT)
			continue;
		if (text_call_part_of(calls, i) == TEXT_CALL_CALL) {
			outline_call_add_text(&step, change_base_text(t, i, &text));
			continue;
		}
		outline_said_add(&step, change_base_text(t, i, &text));
		key = step.key;
		for (uint32_t k = 0; entry->has_calls && k < t->group[entry->group].calls; k++) {
			step.key = key;
			outline_call_add(&step, &t->call[t->group[entry->group].first_call + k]);
		}
	}
	buf_free(&text);
	buf_free(&step.text);
}
