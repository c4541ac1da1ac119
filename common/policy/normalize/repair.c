#include "policy/normalize/repair.h"

#include <stdlib.h>

#include "base/mem.h"
#include "json/text.h"
#include "policy/normalize/mend.h"

/* A record that waits. */
struct pair_item {
	struct pair_item *next;
	struct line line;
	enum record_kind kind;
	struct pair_fact fact; /* of a message */
	bool is_changed;
	bool is_put;
	char bytes[];
};

void
repair_init(struct repair *repair, struct repair_sink sink)
{
	*repair = (struct repair){.sink = sink};
	pairs_init(&repair->pairs);
}

static void
found(struct repair *repair, enum violation violation, const struct line *line,
    struct json_value subject)
{
	repair->sink.found(repair->sink.context, violation, line->file, line->number,
	    subject.type == JSON_ABSENT ? STR("\"\"") : json_span(subject));
}

static void
put(struct repair *repair, const struct repair_record *record)
{
	repair->sink.put(repair->sink.context, record);
}

static void
put_item(struct repair *repair, struct pair_item *item)
{
	struct repair_record record = {.line = &item->line, .kind = item->kind,
	    .is_changed = item->is_changed, .is_outside = item->fact.verdict.outside};

	item->is_put = true;
	put(repair, &record);
}

static struct pair_item *
add_item(struct repair *repair, const struct repair_record *record)
{
	const struct line *line = record->line;
	struct pair_item *item = mem_alloc(1, sizeof *item + line->raw.len + JSON_PADDING);

	*item = (struct pair_item){.line = *line, .kind = record->kind,
	    .is_changed = record->is_changed};
	memcpy(item->bytes, line->raw.ptr, line->raw.len);
	memset(item->bytes + line->raw.len, 0, JSON_PADDING);
	item->line.raw.ptr = item->bytes;
	item->line.text.ptr = item->bytes + (line->text.ptr - line->raw.ptr);
	if (repair->last != NULL)
		repair->last->next = item;
	else
		repair->first = item;
	repair->last = item;
	return item;
}

static void
remove_first(struct repair *repair)
{
	struct pair_item *item = repair->first;

	repair->first = item->next;
	if (repair->first == NULL)
		repair->last = NULL;
	free(item);
}

/* Puts the results of a group that are held back, in order. */
static void
put_results(struct repair *repair, struct pair_group *group)
{
	do {
		put_item(repair, group->slot[group->written]);
		pairs_wrote_slot(&repair->pairs, group);
	} while (group->written < group->calls);
}

/* Puts what waits as far as it can go. Nothing is moved before its group is whole: until then a bad
 * line may come that freezes it. */
static void
pump(struct repair *repair)
{
	struct pairs *pairs = &repair->pairs;

	while (repair->first != NULL) {
		struct pair_item *item = repair->first;

		if (!item->is_put && item->kind == RECORD_MESSAGE &&
		    !pairs_may_write(pairs, &item->fact)) {
			struct pair_group *due = pairs->agent[item->fact.verdict.agent].writing;

			if (due->answered < due->calls)
				return;
			put_results(repair, due);
			continue;
		}
		if (!item->is_put) {
			put_item(repair, item);
			if (item->kind == RECORD_MESSAGE)
				pairs_wrote(pairs, &item->fact);
		}
		remove_first(repair);
	}
}

static void
offer_message(struct repair *repair, struct repair_record *record, const struct pair_fact *fact)
{
	struct pair_item *item;

	if (repair->first == NULL && pairs_may_write(&repair->pairs, fact)) {
		put(repair, record);
		pairs_wrote(&repair->pairs, fact);
		return;
	}
	item = add_item(repair, record);
	item->fact = *fact;
	if (fact->is_result)
		fact->group->slot[fact->slot] = item;
	pump(repair);
}

static void
offer_other(struct repair *repair, const struct repair_record *record)
{
	if (record->kind == RECORD_BAD && !repair->whole)
		pairs_freeze(&repair->pairs);
	if (repair->only_check)
		return;
	pump(repair);
	if (repair->first == NULL)
		put(repair, record);
	else
		add_item(repair, record);
}

/* Puts repair->text in the place of the line's text, into one of the made lines. */
static void
change_line(struct repair *repair, unsigned which, struct line *line, struct message *message)
{
	struct buf *made = &repair->made[which];
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
}

static bool
is_repeated(struct repair *repair, const struct message *message)
{
	struct json_value id = message->meta[METADATA_ID];
	struct hash key;

	/* What is pinned stays wherever it moves: it can be no message's first, nor a repetition. */
	if ((id.type != JSON_STRING && id.type != JSON_NUMBER) || message_is(message, METADATA_PINNED))
		return false;
	key = hash_bytes(call_id_text(id, &repair->scratch),
	    hash_number(id.type, hash_seed(HASH_MESSAGE_ID)));
	return map_set(&repair->ids, key, 1) != MAP_NONE;
}

/* Says which results of the group were out of place, once it is known that they are moved. */
static void
find_misplaced(struct repair *repair, const struct pair_group *group)
{
	struct pair_misplaced misplaced;
	struct str id;
	size_t at = 0;

	while (pair_group_next_misplaced(group, &at, &misplaced, &id))
		repair->sink.found(repair->sink.context, misplaced.violation, misplaced.file,
		    misplaced.line, id.len > 0 ? id : STR("\"\""));
}

/* Places a message that stays. */
static void
add_kept(struct repair *repair, struct line *line, struct message *message, bool is_changed)
{
	struct repair_record record = {.line = line, .message = message, .kind = RECORD_MESSAGE,
	    .is_changed = is_changed, .is_given = !is_changed};
	struct pair_fact fact;
	bool is_whole;

	pairs_add(&repair->pairs, line, message, &fact);
	is_whole = fact.is_result && fact.group->answered == fact.group->calls;
	if (is_whole)
		find_misplaced(repair, fact.group);
	if (fact.is_orphan)
		found(repair, fact.violation, line, message->tool_call_id);
	if (repair->only_check) {
		if (is_whole)
			pairs_drop(&repair->pairs, fact.group);
		return;
	}
	if (fact.is_orphan) {
		mend_orphan(message, line->text, &repair->text);
		change_line(repair, 1, line, message);
		record.is_changed = true;
		record.is_given = false;
	}
	record.is_outside = fact.verdict.outside;
	offer_message(repair, &record, &fact);
}

static void
add_message(struct repair *repair, const struct line *given, const struct message *message)
{
	struct line line = *given;
	struct message current = *message;
	enum role alias = mend_alias(message);
	bool is_changed = alias != ROLE_OTHER && !message_is(message, METADATA_PINNED);

	if (is_changed) {
		found(repair, VIOLATION_ROLE_ALIAS, given, message->role_value);
		mend_role(message, line.text, alias, &repair->text);
		change_line(repair, 0, &line, &current);
	}
	if (mend_is_empty(&current)) {
		found(repair, VIOLATION_EMPTY_MESSAGE, given, current.role_value);
		return;
	}
	if (is_repeated(repair, &current)) {
		found(repair, VIOLATION_REPEATED_ID, given, current.meta[METADATA_ID]);
		return;
	}
	add_kept(repair, &line, &current, is_changed);
}

void
repair_add(struct repair *repair, const struct line *line, const struct message *message)
{
	struct repair_record record = {.line = line, .message = message, .kind = message->kind,
	    .is_given = true};

	if (message->kind == RECORD_MESSAGE)
		add_message(repair, line, message);
	else
		offer_other(repair, &record);
}

/* Says that a call has no result, and puts what stands for it. */
static void
give_up_call(struct repair *repair, const struct pair_group *group, uint32_t call)
{
	struct line line = {.file = group->file, .number = group->line};
	struct repair_record record = {.line = &line, .kind = RECORD_MESSAGE, .is_made = true,
	    .is_outside = group->is_outside};
	struct message message;

	if (!pair_group_is_named(group, call) && !repair->whole)
		return; /* no record could name it */
	buf_reset(&repair->text);
	buf_add_str(&repair->text, pair_group_missing(group, call));
	buf_pad(&repair->text);
	line.raw = line.text = buf_str(&repair->text);
	message_parse(&message, line.text);
	found(repair, VIOLATION_UNANSWERED_CALL, &line, message.tool_call_id);
	if (!repair->only_check)
		put(repair, &record);
}

/* At the end: a group that is not whole gets what stands for its missing results, if its execution
 * is over. If not, and its results came in order, nothing moves. */
static void
settle(struct repair *repair, struct pair_group *group)
{
	struct pairs *pairs = &repair->pairs;
	bool is_over = pairs_is_over(pairs, group, repair->whole);

	if (!is_over && !group->is_parted && group->misplaced.len == 0) {
		pairs_leave(pairs, group);
		return;
	}
	if (group->answered < group->calls)
		find_misplaced(repair, group);
	for (uint32_t i = group->written; i < group->calls; i++) {
		if (group->slot[i] != NULL)
			put_item(repair, group->slot[i]);
		else if (is_over && !group->has_result[i])
			give_up_call(repair, group, i);
	}
	pairs_drop(pairs, group);
}

/* Groups that are not whole at the end, the oldest first. */
static void
settle_rest(struct repair *repair)
{
	struct pair_group *group = repair->pairs.newest;

	while (group != NULL && group->older != NULL)
		group = group->older;
	while (group != NULL) {
		struct pair_group *newer = group->newer;

		if (!group->is_frozen)
			settle(repair, group);
		group = newer;
	}
}

void
repair_finish(struct repair *repair)
{
	struct pairs *pairs = &repair->pairs;

	for (;;) {
		pump(repair);
		if (repair->first == NULL)
			break;
		settle(repair, pairs->agent[repair->first->fact.verdict.agent].writing);
	}
	settle_rest(repair);
	pairs_free(pairs);
	map_free(&repair->ids);
	buf_free(&repair->made[0]);
	buf_free(&repair->made[1]);
	buf_free(&repair->text);
	buf_free(&repair->scratch);
}
