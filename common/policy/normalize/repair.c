#include "policy/normalize/repair.h"

static void
find(struct repair *repair, const struct violation_finding *finding)
{
	repair->count[finding->violation]++;
	if (repair->only_check)
		violation_list_add(repair->findings, finding);
}

static void
find_at(struct repair *repair, enum violation violation, const struct line *line,
    struct json_value subject)
{
	struct violation_finding finding = {violation, line->file, line->number,
	    subject.type == JSON_ABSENT ? STR("\"\"") : json_span(subject)};

	find(repair, &finding);
}

/* Replaces the text of the record by repair->text, in the made line of number which, and parses
 * the new text into message. */
static void
change(struct repair *repair, unsigned which, struct record *record, struct message *message)
{
	struct buf *made = &repair->made[which];
	struct line *line = &record->line;
	size_t before = (size_t)(line->text.ptr - line->raw.ptr);
	size_t behind = before + line->text.len;

	buf_reset(made);
	buf_add(made, line->raw.ptr, before);
	buf_add_str(made, buf_str(&repair->text));
	buf_add(made, line->raw.ptr + behind, line->raw.len - behind);
	buf_pad(made);
	line->raw = buf_str(made);
	line->text = str_of(made->ptr + before, repair->text.len);
	message_parse(message, line->text);
	record->message = message;
	record->block = NULL;
	if (record->state == RECORD_GIVEN)
		record->state = RECORD_CHANGED;
}

static void
forget(struct repair *repair, struct json_value id)
{
	if (id.type != JSON_STRING)
		return;
	pairs_forget(&repair->pairs, id);
	message_ids_forget(&repair->ids, id);
}

/* Whether the record is equal to an earlier one of its id. Another one of that id is a message, and
 * gets an id of its own. */
static bool
is_repeated(struct repair *repair, struct record *record, struct message *read)
{
	struct json_value id = record->message->meta[METADATA_ID];
	struct buf own = BUF_INIT;
	enum message_id known =
	    message_ids_add(&repair->ids, record->message, record->line.text, &own);

	if (known != MESSAGE_ID_NEW)
		find_at(repair, VIOLATION_REPEATED_ID, &record->line, id);
	if (known == MESSAGE_ID_TAKEN) {
		mend_value(record->line.text, id, buf_str(&own), &repair->text);
		change(repair, REPAIR_MADE_ID, record, read);
	}
	buf_free(&own);
	return known == MESSAGE_ID_REPEATED;
}

/* Reports the results of the group that came out of place, once it is known that they move. */
static void
find_misplaced(struct repair *repair, const struct pair_group *group)
{
	struct violation_finding finding;
	size_t at = 0;

	while (violation_list_next(&group->misplaced, &at, &finding))
		find(repair, &finding);
}

/* Emits, holds or mends a message that stays. */
static void
add_kept(struct repair *repair, struct record *record)
{
	struct pair_fact fact;
	struct message mended;
	bool is_whole;

	pairs_add(&repair->pairs, &record->line, record->message, &fact);
	is_whole = fact.is_result && fact.group->state == PAIR_WHOLE;
	if (is_whole)
		find_misplaced(repair, fact.group);
	if (fact.is_orphan)
		find_at(repair, fact.violation, &record->line, record->message->tool_call_id);
	if (repair->only_check) {
		if (is_whole)
			pairs_drop(&repair->pairs, fact.group);
		return;
	}
	if (fact.is_orphan && mend_orphan(record->message, record->line.text, &repair->text))
		change(repair, REPAIR_MADE_ORPHAN, record, &mended);
	repair_queue_add(&repair->waiting, record, &fact);
}

/* Mends members that may not be as they are. read has MEND_COUNT messages, for what is mended. */
static void
mend_members(struct repair *repair, struct record *record, struct message *read)
{
	if (!repair->whole && message_is(record->message, METADATA_PINNED))
		return;
	for (unsigned i = 0; i < MEND_COUNT; i++) {
		const struct mend *mend = &mend_table[i];
		struct json_value wrong = mend->find(record->message);

		if (wrong.type == JSON_ABSENT)
			continue;
		find_at(repair, mend->violation, &record->line, wrong);
		buf_reset(&repair->scratch);
		mend->write(record->message, &repair->scratch);
		mend_value(record->line.text, wrong, buf_str(&repair->scratch), &repair->text);
		change(repair, i, record, &read[i]);
	}
}

/* Reports that a call has no result. Unless the group is dropped, emits a record in place of the
 * result. */
static void
give_up_call(struct repair *repair, const struct pair_group *group, uint32_t call, bool is_dropped)
{
	struct line line = {.file = group->file, .number = group->line};
	struct record record;
	struct message message;

	if (!pair_group_is_named(group, call) && !repair->whole)
		return; /* no record could name it */
	buf_reset(&repair->text);
	pair_group_write_missing(group, call, &repair->text);
	buf_add_char(&repair->text, '\n');
	buf_pad(&repair->text);
	record_make(&record, &line, buf_str(&repair->text));
	find_at(repair, VIOLATION_UNANSWERED_CALL, &line,
	    record_message(&record, &message)->tool_call_id);
	if (!repair->only_check && !is_dropped)
		repair_queue_emit(&repair->waiting, &record, group->is_outside);
}

/* Whether the calls of the group without a result are given up, at the end of the stream. */
static bool
is_given_up(const struct repair *repair, const struct pair_group *group)
{
	return repair->open == REPAIR_OPEN_CLOSE ||
	    (repair->open == REPAIR_OPEN_DROP && repair->only_check) ||
	    pairs_is_over(&repair->pairs, group);
}

/* At the end of the stream, for a group that is not whole. If the execution is over, the missing
 * results are made. If it goes on, and the results that came are in order, nothing moves. */
static void
settle(struct repair *repair, struct pair_group *group)
{
	struct pairs *pairs = &repair->pairs;
	bool is_over = is_given_up(repair, group);

	if (!is_over && !group->is_disordered) {
		pairs_leave(pairs, group);
		return;
	}
	if (group->state == PAIR_WAITING) /* else they were reported when the group became whole */
		find_misplaced(repair, group);
	for (uint32_t i = group->written; i < group->calls; i++) {
		if (group->slot[i] != QUEUE_NONE)
			repair_queue_emit_item(
			    &repair->waiting, queue_at(&repair->waiting.queue, group->slot[i]));
		else if (is_over && !group->has_result[i])
			give_up_call(repair, group, i, false);
	}
	pairs_drop(pairs, group);
}

static bool
waits_for_result(const struct repair *repair, const struct pair_group *group)
{
	for (uint32_t i = 0; i < group->calls; i++)
		if (!group->has_result[i] && (repair->whole || pair_group_is_named(group, i)))
			return true;
	return false;
}

/* At the end of the stream, for the calls that the waiting records begin with. They go on, or they
 * are dropped with their results. */
static void
settle_calls(struct repair *repair, struct repair_queue_item *item)
{
	struct pair_group *group = item->fact.group;

	if (is_given_up(repair, group) || !waits_for_result(repair, group)) {
		repair_queue_emit_item(&repair->waiting, item);
		pairs_wrote(&repair->pairs, &item->fact);
		return;
	}
	item->held.fate = FATE_GONE;
	find_misplaced(repair, group);
	for (uint32_t i = 0; i < group->calls; i++)
		if (group->slot[i] != QUEUE_NONE)
			queue_decide(&repair->waiting.queue, group->slot[i], FATE_GONE);
		else
			give_up_call(repair, group, i, true);
	pairs_drop(&repair->pairs, group);
}

/* Settles the groups that are not whole at the end, the oldest first. */
static void
settle_rest(struct repair *repair)
{
	struct pair_group *group = repair->pairs.newest;

	while (group != NULL && group->older != NULL)
		group = group->older;
	while (group != NULL) {
		struct pair_group *newer = group->newer;

		if (group->state != PAIR_LEFT)
			settle(repair, group);
		group = newer;
	}
}

/* Settles all groups: no more messages come for them. */
static void
end(struct stage *stage)
{
	struct repair *repair = (struct repair *)stage;
	struct pairs *pairs = &repair->pairs;

	for (repair_queue_pump(&repair->waiting); !queue_is_empty(&repair->waiting.queue);
	     repair_queue_pump(&repair->waiting)) {
		struct repair_queue_item *item =
		    queue_at(&repair->waiting.queue, repair->waiting.queue.first);
		struct pair_group *writing = pairs->agent[item->fact.verdict.agent].writing;

		if (writing != NULL)
			settle(repair, writing);
		else
			settle_calls(repair, item);
	}
	settle_rest(repair);
}

/* Begins the next session, if the message, or context record, is of one. */
static void
part(struct repair *repair, const struct record *record, const struct message *message)
{
	if (!stream_session_parts(&repair->session, record, message))
		return;
	end(&repair->stage);
	pairs_reset(&repair->pairs);
	message_ids_free(&repair->ids);
}

static void
add_message(struct repair *repair, struct record *record)
{
	struct message read, mended[MEND_COUNT], named;
	const struct message *message;

	part(repair, record, record_message(record, &read));
	mend_members(repair, record, mended);
	message = record->message;
	if (mend_is_empty(message))
		find_at(repair, VIOLATION_EMPTY_MESSAGE, &record->line, message->role_value);
	else if (!is_repeated(repair, record, &named)) {
		forget(repair, message->meta[METADATA_FORGETS]);
		for (struct json_walk walk = json_walk_list(message->meta[METADATA_FORGETS]);
		     json_walk_next(&walk);)
			forget(repair, walk.value);
		add_kept(repair, record);
	}
}

static void
take(struct stage *stage, struct record *record)
{
	struct repair *repair = (struct repair *)stage;
	struct message read;

	if (record->kind == RECORD_MESSAGE) {
		add_message(repair, record);
		return;
	}
	if (record->kind == RECORD_CONTEXT)
		part(repair, record, record_message(record, &read));
	if (record->kind == RECORD_BAD && !repair->ignores_bad)
		pairs_freeze(&repair->pairs);
	if (repair->only_check)
		return;
	repair_queue_pump(&repair->waiting);
	queue_pass(&repair->waiting.queue, &repair->stage, record, FATE_FINAL);
}

void
repair_init(
    struct repair *repair, struct buf *findings, bool only_check, bool whole, enum repair_open open)
{
	*repair = (struct repair){.stage = {.take = take, .end = end},
	    .findings = findings,
	    .only_check = only_check,
	    .whole = whole,
	    .ignores_bad = whole,
	    .open = open,
	    .waiting = {.stage = &repair->stage,
		.pairs = &repair->pairs,
		.queue = QUEUE_OF(struct repair_queue_item),
		.whole = whole,
		.drops_open = open == REPAIR_OPEN_DROP}};
	pairs_init(&repair->pairs, whole);
}

void
repair_free(struct repair *repair)
{
	queue_free(&repair->waiting.queue);
	pairs_free(&repair->pairs);
	message_ids_free(&repair->ids);
	for (unsigned i = 0; i < REPAIR_MADE_COUNT; i++)
		buf_free(&repair->made[i]);
	buf_free(&repair->text);
	buf_free(&repair->scratch);
}
