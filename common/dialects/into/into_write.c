#include "dialects/into/into_write.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/byte.h"
#include "base/mem.h"
#include "data/message/message.h"
#include "dialects/into/into_new.h"
#include "json/leaves.h"
#include "json/string.h"

struct output {
	struct into *into;
	struct buf *to;
	struct str text; /* the file as it is */
	size_t at, from; /* so many bytes of the unfolded text end there in the file */
	bool is_folded;
	struct map ids;   /* of records -> unit */
	struct map calls; /* ids of calls of messages that are not the same */
	struct json_edit edit;
	bool is_document;
	uint32_t ending;        /* the first batch at the end */
	struct json_value last; /* the id of the last record */
	struct str asked;       /* the id of the user's last record */
	int64_t number;         /* of the last line */
	struct json_leaves leaves;
};

/* Moves on to that place of the unfolded text. */
static void
move(struct output *output, const char *ptr)
{
	struct str text = output->text;
	size_t at = (size_t)(ptr - output->into->units.text.ptr);

	if (!output->is_folded) {
		output->from += at - output->at;
		output->at = at;
	}
	for (; output->at < at; output->at++, output->from++)
		if (text.ptr[output->from] == '\n' || text.ptr[output->from] == '\r')
			while (byte_is_blank(text.ptr[output->from]))
				output->from++;
}

/* Writes a span of the text as it stands in the file. */
static void
keep(struct output *output, struct str span)
{
	size_t from;

	move(output, span.ptr);
	from = output->from;
	move(output, span.ptr + span.len);
	buf_add(output->to, output->text.ptr + from, output->from - from);
}

/* The unit of the id, or NULL; and if it is one that is gone. */
static struct into_unit *
find_unit(const struct output *output, struct json_value id)
{
	uint64_t unit =
	    id.type == JSON_STRING ? map_get(&output->ids, hash_label(json_span(id))) : MAP_NONE;

	return unit == MAP_NONE ? NULL : &output->into->units.unit[unit];
}

static struct into_unit *
find_gone(const struct output *output, struct json_value id)
{
	struct into_unit *unit = find_unit(output, id);

	return unit != NULL && unit->is_gone ? unit : NULL;
}

/* The id that takes the place of one that is gone: that of the nearest record before which is
 * there. A chain that is hostile may be a ring. */
static struct str
resolve(const struct output *output, struct json_value id)
{
	const char *parent = output->into->format->parent;
	struct into_unit *first = find_gone(output, id), *unit = first, *next;
	struct str heir = STR("null");

	if (first != NULL && output->into->format->has_asked)
		return output->asked.len > 0 ? output->asked : json_span(id);
	for (; unit != NULL && unit->heir.ptr == NULL; unit = find_gone(output, id)) {
		unit->heir = heir;
		id = into_format_at(unit->value, parent);
	}
	if (unit != NULL)
		heir = unit->heir;
	else if (id.type == JSON_STRING)
		heir = json_span(id);
	for (unit = first; unit != NULL && unit->heir.ptr != heir.ptr; unit = next) {
		next = find_gone(output, into_format_at(unit->value, parent));
		unit->heir = heir;
	}
	return heir;
}

static struct into_batch *
batch_at(const struct into *into, uint32_t number)
{
	return &((struct into_batch *)(void *)into->batches.ptr)[number];
}

static uint32_t
batch_count(const struct into *into)
{
	return (uint32_t)(into->batches.len / sizeof(struct into_batch));
}

/* Of what a compaction keeps, the first record that is there: that of the id, or one behind it and
 * before the compaction, or what is new in front of that. Where none is, the id is one that is
 * nowhere, which keeps nothing. */
static struct str
resolve_kept(const struct output *output, struct json_value id, uint32_t compaction)
{
	const struct into *into = output->into;
	const struct into_unit *unit = find_unit(output, id);

	if (unit != NULL && unit->is_gone)
		unit = unit->next < compaction ? &into->units.unit[unit->next] : NULL;
	if (unit == NULL)
		return json_span(id);
	if (unit->batch > 0)
		id = into_format_at(
		    json_value_at(batch_at(into, unit->batch - 1)->text.ptr), into->format->id);
	return json_span(id.type == JSON_STRING && unit->batch > 0 ? id : unit->id);
}

/* Replaces the value, unless it is that already. */
static void
replace(struct output *output, struct json_value value, struct str with)
{
	if (value.type != JSON_ABSENT && !str_eq(json_span(value), with))
		json_edit_replace(
		    &output->edit, json_span(value), json_edit_keep(&output->edit, with));
}

/* Gives a new line what the form has not: its number, and the agent whose it is; and takes what the
 * file has not: ids. */
static void
put_new_line(
    struct output *output, const struct into_batch *batch, struct str line, bool is_element)
{
	const struct into_format *format = output->into->format;
	const struct into_unit *kin =
	    batch->kin != INTO_NONE ? &output->into->units.unit[batch->kin] : NULL;
	struct json_value value = json_value_at(line.ptr), side;
	char number[24];

	if (is_element && format->inner != NULL)
		value = into_format_at(value, format->inner);
	json_edit_reset(&output->edit, json_span(value));
	if (format->parent != NULL && !output->into->units.has_ids) {
		json_edit_remove_all(&output->edit, value, str_from(format->id));
		json_edit_remove_all(&output->edit, value, str_from(format->parent));
	}
	side = json_find(value, STR("isSidechain"));
	if (side.type != JSON_ABSENT && kin != NULL &&
	    json_find(kin->value, STR("isSidechain")).type == JSON_TRUE) {
		replace(output, side, STR("true"));
		side = json_find(kin->value, STR("agentId"));
		if (side.type == JSON_STRING)
			json_edit_add(&output->edit, value, STR("agentId"), json_span(side));
	}
	if (!is_element && output->number >= 0) {
		snprintf(number, sizeof number, "%jd", (intmax_t)++output->number);
		json_edit_add(&output->edit, value, str_from(format->number), str_from(number));
	}
	json_edit_write(&output->edit, output->to);
}

/* The id of the record that the batch follows, JSON, or null. */
static struct str
find_parent(const struct output *output, const struct into_batch *batch)
{
	const struct into_units *units = &output->into->units;
	const struct into_unit *link = batch->link != INTO_NONE ? &units->unit[batch->link] : NULL;
	struct json_value parent;

	if (link != NULL && link->chained.len > 0)
		return link->chained;
	parent =
	    link != NULL ? into_format_at(link->value, output->into->format->parent) : output->last;
	if (link == NULL && batch->agent.len > 0 && batch->kin != INTO_NONE)
		parent = units->unit[batch->kin].id;
	if (parent.type == JSON_ABSENT)
		parent = output->last;
	return resolve(output, parent);
}

/* Writes the batches that stand in front of the unit, with a comma or a line end behind each
 * record. */
static void
put_batches(struct output *output, uint32_t first, uint32_t unit, bool is_element)
{
	struct into *into = output->into;

	for (uint32_t i = first; i < batch_count(into) && batch_at(into, i)->unit == unit; i++) {
		struct into_batch *batch = batch_at(into, i);
		struct str rest;

		into_new_write(into, batch, find_parent(output, batch));
		rest = batch->text;
		while (rest.len > 0) {
			put_new_line(output, batch, str_take_line(&rest), is_element);
			buf_add_char(output->to, is_element ? ',' : '\n');
		}
		if (batch->link != INTO_NONE)
			into->units.unit[batch->link].chained = batch->last;
		else if (batch->agent.len == 0)
			output->last =
			    (struct json_value){batch->last.ptr, (uint32_t)batch->last.len,
				batch->last.ptr[0] == '"' ? JSON_STRING : JSON_NULL, 0};
		if (batch->last_asked.len > 0)
			output->asked = batch->last_asked;
	}
}

/* The first edit from ptr on. */
static uint32_t
first_edit(const struct into *into, const char *ptr)
{
	uint32_t low = 0, high = into->edit_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (into->edit[middle].span.ptr < ptr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Notes the edits of the unit's messages; of those that overlap, the outermost. */
static void
take_edits(struct output *output, const struct into_unit *unit)
{
	const struct into *into = output->into;
	const char *end = unit->whole.ptr + unit->whole.len, *done = unit->whole.ptr;

	for (uint32_t i = first_edit(into, done); i < into->edit_count; i++) {
		const struct into_edit *edit = &into->edit[i];

		if (edit->span.ptr >= end)
			break;
		if (edit->span.ptr < done)
			continue;
		done = edit->span.ptr + edit->span.len;
		if (!edit->is_removed)
			json_edit_replace(&output->edit, edit->span, edit->with);
		else if (edit->name.type != JSON_ABSENT)
			json_edit_remove(&output->edit, edit->name,
			    (struct json_value){
				edit->span.ptr, (uint32_t)edit->span.len, JSON_OBJECT, 0});
		else
			json_edit_remove(&output->edit,
			    (struct json_value){edit->span.ptr, 0, JSON_OBJECT, 0},
			    (struct json_value){
				edit->span.ptr, (uint32_t)edit->span.len, JSON_OBJECT, 0});
	}
}

/* The next string of the record that repeats a text which has changed, or absent. */
static struct json_value
next_copy(struct output *output)
{
	struct json_leaves *leaves = &output->leaves;
	enum json_leaf kind;

	while ((kind = json_leaves_next(leaves)) != JSON_LEAF_END)
		if (kind == JSON_LEAF_STRING && leaves->value.len >= INTO_COPY_MIN &&
		    map_get(&output->into->gone, hash_label(json_span(leaves->value))) != MAP_NONE)
			return leaves->value;
	return (struct json_value){.type = JSON_ABSENT};
}

/* Whether the line makes no message, so that it may repeat what messages say; begins to look. */
static bool
may_repeat(struct output *output, const struct into_unit *unit)
{
	const char *head = output->into->format->head;

	json_leaves_open(&output->leaves, json_span(unit->value));
	return !unit->is_made && unit->elements == 0 && unit->value.type == JSON_OBJECT &&
	    output->into->gone.count > 0 &&
	    !(head != NULL && json_has_type(unit->value, str_from(head)));
}

/* Whether the record only tells of a message that is not the same. */
static bool
is_event_gone(struct output *output, const struct into_unit *unit)
{
	const struct into_format *format = output->into->format;
	struct json_value id = into_format_at(unit->value, format->call);

	if (format->events == NULL || !json_has_type(unit->value, str_from(format->events)))
		return false;
	if (id.type == JSON_STRING &&
	    map_get(&output->calls, hash_label(json_span(id))) != MAP_NONE)
		return true;
	return may_repeat(output, unit) && next_copy(output).type != JSON_ABSENT;
}

/* Empties what the record repeats. */
static void
empty_copies(struct output *output, const struct into_unit *unit)
{
	struct json_value copy;

	if (may_repeat(output, unit))
		while ((copy = next_copy(output)).type != JSON_ABSENT)
			json_edit_replace(&output->edit, json_span(copy), STR("\"\""));
}

static void
put_unit(struct output *output, uint32_t number)
{
	const struct into *into = output->into;
	const struct into_format *format = into->format;
	const struct into_unit *unit = &into->units.unit[number];
	struct json_value own = into_format_at(unit->value, format->parent);
	struct json_value order = into_format_at(unit->value, format->number);
	struct json_pieces pieces;
	char text[24];

	json_edit_reset(&output->edit, unit->whole);
	take_edits(output, unit);
	empty_copies(output, unit);
	if (unit->chained.len > 0 && !format->has_asked)
		replace(output, own, unit->chained);
	else if (own.type == JSON_STRING)
		replace(output, own, resolve(output, own));
	for (size_t i = 0; i < 4 && format->refers[i] != NULL; i++) {
		struct json_value refers = into_format_at(unit->value, format->refers[i]);

		if (refers.type == JSON_STRING)
			replace(output, refers, resolve(output, refers));
	}
	for (size_t i = 0; i < 2 && format->keeps[i] != NULL; i++) {
		struct json_value kept = into_format_at(unit->value, format->keeps[i]);

		if (kept.type == JSON_STRING)
			replace(output, kept, resolve_kept(output, kept, number));
	}
	if (order.type == JSON_NUMBER) {
		int64_t given = json_integer(order, 0);

		output->number = given > output->number ? given : output->number + 1;
		snprintf(text, sizeof text, "%jd", (intmax_t)output->number);
		replace(output, order, str_from(text));
	}
	json_pieces_open(&pieces, &output->edit);
	while (json_pieces_next(&pieces)) {
		if (pieces.is_kept)
			keep(output, pieces.piece);
		else
			buf_add_str(output->to, pieces.piece);
	}
}

/* Notes the record, which is written, as one that others follow. */
static void
note_written(struct output *output, const struct into_unit *unit)
{
	if (unit->id.type != JSON_STRING)
		return;
	if (output->into->format->has_asked &&
	    json_is(into_format_at(unit->value, "info.role"), STR("user")))
		output->asked = json_span(unit->id);
	if (json_find(unit->value, STR("isSidechain")).type != JSON_TRUE)
		output->last = unit->id;
}

/* Writes a line with its elements. */
static void
put_elements(struct output *output, uint32_t line)
{
	const struct into *into = output->into;
	const struct into_unit *of = &into->units.unit[line];
	const char *at = of->list.ptr + 1, *end = of->whole.ptr + of->whole.len;
	bool is_first = true;

	keep(output, str_of(of->whole.ptr, (size_t)(at - of->whole.ptr)));
	for (uint32_t i = line + 1; i <= line + of->elements; i++) {
		const struct into_unit *unit = &into->units.unit[i];

		if (!unit->is_gone) {
			if (!is_first)
				keep(output, str_of(at, (size_t)(unit->whole.ptr - at)));
			if (unit->batch > 0)
				put_batches(output, unit->batch - 1, i, true);
			put_unit(output, unit->shown);
			note_written(output, unit);
			is_first = false;
		}
		at = unit->whole.ptr + unit->whole.len;
	}
	if (output->is_document && output->ending < batch_count(into)) {
		if (!is_first)
			buf_add_char(output->to, ',');
		put_batches(output, output->ending, INTO_NONE, true);
		output->to->len--;
	}
	keep(output, str_of(at, (size_t)(end - at)));
}

/* Writes a line that has no elements. */
static void
put_line(struct output *output, uint32_t line)
{
	const struct into *into = output->into;
	const struct into_unit *unit = &into->units.unit[line];

	if (unit->is_gone || is_event_gone(output, unit))
		return;
	if (unit->batch > 0) {
		buf_end_line(output->to);
		put_batches(output, unit->batch - 1, batch_at(into, unit->batch - 1)->unit, false);
	}
	put_unit(output, unit->shown);
	note_written(output, unit);
}

/* The batches at the end of lines stand in front of what was appended, of the first line there that
 * says what it follows. */
static void
place_ending(struct output *output)
{
	struct into *into = output->into;
	struct into_units *units = &into->units;
	uint32_t count = batch_count(into), unit = units->appended;

	output->ending = count;
	while (output->ending > 0 && batch_at(into, output->ending - 1)->unit == INTO_NONE)
		output->ending--;
	if (output->ending == count || units->appended == units->count)
		return;
	while (unit < units->count &&
	    into_format_at(units->unit[unit].value, into->format->parent).type == JSON_ABSENT)
		unit++;
	if (unit == units->count)
		unit = units->appended;
	units->unit[unit].batch = output->ending + 1;
	for (uint32_t i = output->ending; i < count; i++)
		if (batch_at(into, i)->agent.len == 0)
			batch_at(into, i)->link = unit;
}

static void
note_changed(struct output *output)
{
	struct into *into = output->into;
	struct message message;

	for (uint32_t i = into->units.count, next = INTO_NONE; i-- > 0;) {
		struct into_unit *unit = &into->units.unit[i];

		unit->next = next;
		if (unit->id.type == JSON_STRING)
			map_set(&output->ids, hash_label(json_span(unit->id)), i);
		if (unit->id.type == JSON_STRING && !unit->is_gone)
			next = i;
	}
	for (uint32_t i = 0; into->format->events != NULL && i < into->own_count; i++) {
		if (into->own[i].fate == INTO_SAME)
			continue;
		message_parse(&message, into->own[i].text);
		if (message.tool_call_id.type == JSON_STRING)
			map_set(&output->calls, hash_label(json_span(message.tool_call_id)), 1);
		for (struct json_walk walk = json_walk_list(message.tool_calls);
		     json_walk_next(&walk);)
			map_set(&output->calls,
			    hash_label(json_span(json_find(walk.value, STR("id")))), 1);
	}
}

static int
compare(const void *left, const void *right)
{
	const struct into_edit *a = left, *b = right;

	if (a->span.ptr != b->span.ptr)
		return a->span.ptr < b->span.ptr ? -1 : 1;
	if (a->span.len != b->span.len)
		return a->span.len > b->span.len ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

static void
put_all(struct output *output)
{
	struct into *into = output->into;
	uint32_t step;

	for (uint32_t i = 0; i < into->units.count; i += step) {
		step = 1 + into->units.unit[i].elements;
		if (into->units.unit[i].list.type == JSON_ARRAY)
			put_elements(output, i);
		else
			put_line(output, i);
	}
	if (output->ending == batch_count(into) || output->is_document ||
	    into->units.appended < into->units.count)
		return;
	buf_end_line(output->to);
	put_batches(output, output->ending, INTO_NONE, false);
}

void
into_write(struct into *into, struct str text, bool is_document, struct buf *to)
{
	struct output *output = mem_alloc(1, sizeof *output);

	*output = (struct output){.into = into,
	    .to = to,
	    .text = text,
	    .is_folded = text.ptr != into->units.text.ptr,
	    .is_document = is_document,
	    .number = -1,
	    .last = {.type = JSON_NULL, .ptr = "null", .len = 4}};
	json_edit_init(&output->edit, into->units.text);
	if (into->edit_count > 0)
		qsort(into->edit, into->edit_count, sizeof *into->edit, compare);
	while (output->is_folded && byte_is_blank(text.ptr[output->from]))
		output->from++;
	buf_add(to, text.ptr, output->from);
	note_changed(output);
	place_ending(output);
	put_all(output);
	if (output->is_folded)
		buf_add_str(to, str_rest(text, output->from));
	json_edit_free(&output->edit);
	map_free(&output->ids);
	map_free(&output->calls);
	free(output);
}
