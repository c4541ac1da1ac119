#include "routing.h"

#include "json/text.h"

/* Decides the candidate, now that it is known what follows it. */
static void
settle(struct routing *r, enum fate fate)
{
	struct route_step step;
	struct message message;
	struct held *held;

	if (r->hold.candidate == HOLD_NONE)
		return;
	held = &r->hold.record[r->hold.candidate];
	entry_parse(&held->entry, &message);
	route_settle(&message, fate, &step);
	buf_reset(&r->text);
	if (route_write(&message, entry_text(&held->entry), &step, &r->edit, &r->text))
		hold_replace(&r->hold, held, buf_str(&r->text));
	held->may_drop = step.in_buffer;
	held->entry.is_dropped = step.in_buffer && r->drops_buffers;
	r->hold.candidate = HOLD_NONE;
}

/* Writes what was held; of an execution that is over, its buffer is dropped if so asked. */
static void
release(struct routing *r, bool is_over)
{
	if (r->hold.count == 0)
		return;
	if (is_over && r->is_ephemeral)
		hold_drop(&r->hold, buf_str(&r->route.walk.agent), r->filter.counts.written == 0);
	r->dropped += hold_write(&r->hold, &r->filter);
}

void
routing_put(struct routing *r, const struct buf *text)
{
	struct filter *filter = &r->filter;

	if (r->hold.count > 0)
		hold_add(&r->hold, &filter->line, filter->message.kind,
		    text != NULL ? buf_str(text) : filter->line.text);
	else if (text != NULL)
		filter_change(filter, buf_str(text));
	else
		filter_pass(filter);
}

static bool
has_id(const struct message *message, const char *id)
{
	return json_is(message->tool_call_id, str_from(id)) ||
	    json_is(message->meta[METADATA_ID], str_from(id));
}

/* Marks a failure that --resolve names. */
static void
resolve(struct routing *r, struct route_step *step)
{
	const struct option_list *list = r->resolve;
	const struct message *message = &r->filter.message;
	bool is_named = false;

	if (step->verdict.outside ||
	    (!message_is(message, METADATA_IS_ERROR) && step->verdict.origin != ORIGIN_ERROR))
		return;
	for (unsigned i = 0; i < list->count; i++) {
		if (!has_id(message, list->item[i]))
			continue;
		r->is_resolved[i] = true;
		is_named = true;
	}
	if (is_named)
		route_resolve(message, step);
}

/* What the message decides: the candidate before it, and the end of the execution before it. */
static void
decide(struct routing *r, const struct verdict *verdict)
{
	if (verdict->answer != FATE_OPEN)
		settle(r, verdict->answer);
	if (verdict->execution_began || (r->hold.candidate == HOLD_NONE && !r->is_ephemeral))
		release(r, true);
}

void
routing_take(struct routing *r)
{
	struct message *message = &r->filter.message;
	struct str text = r->filter.line.text;
	struct route_step step;
	bool is_changed, may_drop;

	route_add(&r->route, message, &step);
	resolve(r, &step);
	decide(r, &step.verdict);
	if (step.in_buffer && r->drops_buffers) {
		r->dropped++;
		return;
	}
	buf_reset(&r->text);
	is_changed = route_write(message, text, &step, &r->edit, &r->text);
	may_drop = step.in_buffer && !step.verdict.is_late && !step.verdict.outside;
	if (!step.is_candidate && (!may_drop || !r->is_ephemeral)) {
		routing_put(r, is_changed ? &r->text : NULL);
		return;
	}
	hold_add(&r->hold, &r->filter.line, RECORD_MESSAGE, is_changed ? buf_str(&r->text) : text)
	    ->may_drop = may_drop;
	if (step.is_candidate)
		r->hold.candidate = r->hold.count - 1;
}

/* The end of the input ends no execution: only one with its final response is over. */
void
routing_end(struct routing *r)
{
	enum fate answer, error;
	bool is_over = walk_end(&r->route.walk, &answer, &error);

	settle(r, FATE_FINAL);
	release(r, is_over);
	for (unsigned i = 0; i < r->resolve->count; i++) {
		if (r->is_resolved[i])
			continue;
		diag_warn("no failure has the id '%s'", r->resolve->item[i]);
		filter_fail(&r->filter, STATUS_NO);
	}
	json_member_integer(filter_report(&r->filter), STR("dropped"), (int64_t)r->dropped);
}

void
routing_free(struct routing *r)
{
	route_free(&r->route);
	hold_free(&r->hold);
	buf_free(&r->text);
	json_edit_free(&r->edit);
}
