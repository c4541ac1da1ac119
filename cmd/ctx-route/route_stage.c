#include "route_stage.h"

#include "json/string.h"

/* Decides about the candidate, since the next message is known. */
static void
settle(struct route_stage *r, enum fate fate)
{
	struct route_step step;
	struct message message;
	struct held_step_record *step_record;
	struct record *record;

	if (r->hold.candidate == QUEUE_NONE)
		return;
	step_record = queue_at(&r->hold.queue, r->hold.candidate);
	record = &step_record->held.record;
	message_parse(&message, record->line.text);
	route_settle(&r->route, &message, fate, &step);
	if (route_edit(&message, record->line.text, &step, r->edit))
		held_step_change(record, r->edit);
	step_record->may_drop = step.in_buffer;
	if (step.in_buffer && r->drops_buffers)
		queue_decide(&r->hold.queue, r->hold.candidate, FATE_GONE);
	r->hold.candidate = QUEUE_NONE;
}

/* Emits the held records. The buffer of an execution that is over is dropped first, if that was
 * asked for. */
static void
release(struct route_stage *r, bool is_over)
{
	struct queue *queue = &r->hold.queue;

	if (queue_is_empty(queue))
		return;
	if (is_over && r->is_ephemeral)
		held_step_drop(&r->hold, &r->route.walk, !r->has_begun);
	for (size_t i = queue->first; i < queue->end; i++) {
		const struct queue_item *held = queue_at(queue, i);

		r->dropped += held->fate == FATE_GONE;
		r->has_begun |= held->record.kind == RECORD_MESSAGE && held->fate != FATE_GONE;
	}
	queue_emit(queue, &r->stage);
	r->hold.candidate = QUEUE_NONE;
}

/* Emits the record, or holds it after the held records. */
static void
pass(struct route_stage *r, struct record *record)
{
	r->has_begun |= record->kind == RECORD_MESSAGE && queue_is_empty(&r->hold.queue);
	queue_pass(&r->hold.queue, &r->stage, record, FATE_FINAL);
}

/* Marks a failure that --resolve names. */
static void
resolve(struct route_stage *r, const struct message *message, struct route_step *step)
{
	const struct option_list *list = r->resolve;
	bool is_named = false;

	if (step->verdict.outside ||
	    (!message_is(message, METADATA_IS_ERROR) && step->verdict.origin != ORIGIN_ERROR))
		return;
	for (unsigned i = 0; i < list->count; i++) {
		if (!(json_is(message->tool_call_id, str_from(list->item[i])) ||
			json_is(message->meta[METADATA_ID], str_from(list->item[i]))))
			continue;
		r->resolved |= UINT64_C(1) << i;
		is_named = true;
	}
	if (is_named)
		route_resolve(message, step);
}

/* Decides, by the message, the fate of the candidate, and whether the execution before it is
 * over. */
static void
decide(struct route_stage *r, const struct verdict *verdict)
{
	if (verdict->answer != FATE_OPEN)
		settle(r, verdict->answer);
	if (verdict->execution_began)
		r->resolved |= unanswered_mark(&r->unanswered, &r->hold);
	if (verdict->execution_began ||
	    (r->hold.candidate == QUEUE_NONE && r->unanswered.count == 0 && !r->is_ephemeral))
		release(r, true);
}

static void
take_message(struct route_stage *r, struct record *record)
{
	struct message read;
	const struct message *message = record_message(record, &read);
	struct route_step step;
	struct held_step_record *held;
	bool may_drop, is_dropped, waits;

	route_add(&r->route, message, r->rules != NULL && r->rules->sets_section, &step);
	resolve(r, message, &step);
	unanswered_answer(&r->unanswered, step.verdict.answers);
	decide(r, &step.verdict);
	is_dropped = held_step_has_dropped(&r->hold, step.verdict.answers) ||
	    (step.in_buffer && r->drops_buffers && !step.is_of_log);
	waits = unanswered_add(&r->unanswered, message, &step.verdict, r->resolve,
	    is_dropped ? QUEUE_NONE : r->hold.queue.end);
	if (is_dropped) {
		r->dropped++;
		return;
	}
	if (route_edit(message, record->line.text, &step, r->edit)) {
		record->edit = r->edit;
		record->state = RECORD_CHANGED;
	}
	may_drop =
	    step.in_buffer && !step.verdict.is_late && !step.verdict.outside && !step.is_of_log;
	if (!step.is_candidate && !waits && (!may_drop || !r->is_ephemeral)) {
		pass(r, record);
		return;
	}
	if (step.is_candidate)
		r->hold.candidate = r->hold.queue.end;
	held = queue_add(&r->hold.queue, record, FATE_FINAL);
	held->first_call = step.verdict.first_call;
	held->may_drop = may_drop;
}

static void
take(struct stage *stage, struct record *record)
{
	struct route_stage *r = (struct route_stage *)stage;

	if (record->kind == RECORD_MESSAGE)
		take_message(r, record);
	else
		pass(r, record);
}

/* The end of the input ends no execution: only one with its final response is over. */
static void
end(struct stage *stage)
{
	struct route_stage *r = (struct route_stage *)stage;
	enum fate answer, error;
	bool is_over = walk_end(&r->route.walk, &answer, &error);

	settle(r, FATE_FINAL);
	if (is_over)
		r->resolved |= unanswered_mark(&r->unanswered, &r->hold);
	release(r, is_over);
}

void
route_stage_init(struct route_stage *r, struct json_edit *edit)
{
	*r = (struct route_stage){.stage = {.take = take, .end = end}, .edit = edit};
	route_init(&r->route);
	held_step_init(&r->hold);
}

void
route_stage_recall(struct route_stage *r, struct record *record)
{
	struct message read;
	struct route_step step;

	r->route.recalls = true;
	route_add(&r->route, record_message(record, &read), false, &step);
	r->route.recalls = false;
	if (!r->replays) {
		unanswered_answer(&r->unanswered, step.verdict.answers);
		decide(r, &step.verdict);
	}
	r->has_begun = true;
}

void
route_stage_restart(struct route_stage *r)
{
	route_restart(&r->route);
	r->replays = true;
	r->has_begun = false;
}

void
route_stage_resume(struct route_stage *r)
{
	struct message message;
	struct route_step step;

	if (!r->replays)
		return;
	r->replays = false;
	unanswered_forget(&r->unanswered);
	map_free(&r->hold.gone);
	for (size_t i = r->hold.queue.first; i < r->hold.queue.end; i++) {
		struct held_step_record *held = queue_at(&r->hold.queue, i);

		if (held->held.record.kind != RECORD_MESSAGE)
			continue;
		message_parse(&message, held->held.record.line.text);
		route_add(&r->route, &message, false, &step);
		held->first_call = step.verdict.first_call;
		unanswered_answer(&r->unanswered, step.verdict.answers);
		unanswered_add(&r->unanswered, &message, &step.verdict, r->resolve, i);
	}
}

void
route_stage_free(struct route_stage *r)
{
	route_free(&r->route);
	held_step_free(&r->hold);
	unanswered_free(&r->unanswered);
}
