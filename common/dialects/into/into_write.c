#include "dialects/into/into_write.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/byte.h"
#include "base/mem.h"
#include "dialects/into/into_copies.h"
#include "dialects/into/into_ids.h"
#include "dialects/into/into_new.h"
#include "dialects/into/into_patch.h"
#include "json/string.h"

struct output {
	struct into *into;
	struct buf *to;
	struct str text; /* the file itself */
	size_t at, from; /* so many bytes of the unfolded text end there in the file */
	bool is_folded;
	struct into_ids ids;
	struct into_copies copies;
	struct json_edit edit;
	bool is_document;
	uint32_t ending;        /* the first batch at the end */
	struct json_value last; /* the id of the last record */
	int64_t number;         /* of the last line */
	int64_t ms;             /* the time of the last record, if records are ordered by it */
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
	while (output->at < at) {
		const char *from = text.ptr + output->from;
		size_t len = (size_t)(str_find_break(str_of(from, at - output->at)) - from);

		output->from += len;
		output->at += len;
		while (output->at < at && byte_is_blank(text.ptr[output->from]))
			output->from++;
	}
}

/* Writes a span of the text as it is in the file. */
static void
keep(struct output *output, struct str span)
{
	size_t from;

	move(output, span.ptr);
	from = output->from;
	move(output, span.ptr + span.len);
	buf_add(output->to, output->text.ptr + from, output->from - from);
}

/* Gives a new record the members that all records of its agent have. */
static void
take_after(struct output *output, struct json_value value, struct json_value kin)
{
	const char *const *names = output->into->format->alike;

	for (size_t i = 0; i < INTO_ALIKE && names[i] != NULL; i++) {
		struct json_value has = json_find(value, str_from(names[i]));
		struct json_value takes = json_find(kin, str_from(names[i]));

		if (takes.type != JSON_ABSENT && has.type != JSON_ABSENT)
			json_edit_replace(&output->edit, json_span(has), json_span(takes));
		else if (takes.type != JSON_ABSENT)
			json_edit_add(&output->edit, value, str_from(names[i]), json_span(takes));
	}
}

/* Gives a new record the members that the form lacks: its number, and those that its neighbours
 * have. Removes ids, if the file has none. */
static void
put_new_record(struct output *output, const struct into_new_batch *batch, struct json_value value,
    bool is_element)
{
	const struct session_layout *format = output->into->format;
	const struct into_unit *kin =
	    batch->kin != INTO_NONE ? &output->into->units.unit[batch->kin] : NULL;
	char number[24];

	if (is_element && format->inner != NULL)
		value = session_layout_at(value, format->inner);
	json_edit_reset(&output->edit, json_span(value));
	if (format->parent != NULL && !output->into->units.has_ids)
		json_edit_remove_all(&output->edit, value, str_from(format->id));
	/* A record that alone had a parent would begin another conversation. */
	if (format->parent != NULL && !output->into->units.has_parents)
		json_edit_remove_all(&output->edit, value, str_from(format->parent));
	if (kin != NULL)
		take_after(output, value, kin->value);
	if (!is_element && output->number >= 0) {
		snprintf(number, sizeof number, "%jd", (intmax_t)++output->number);
		json_edit_add(&output->edit, value, str_from(format->number), str_from(number));
	}
	json_edit_write(&output->edit, output->to);
}

/* Notes the last record of the batch as one that others follow. What has no place in the file left
 * nothing to follow. */
static void
note_chain(struct output *output, const struct into_new_batch *batch)
{
	if (batch->last.len == 0)
		return;
	if (batch->link != INTO_NONE)
		output->into->units.unit[batch->link].chained = batch->last;
	else if (batch->agent.len == 0)
		output->last =
		    (struct json_value){batch->last.ptr, (uint32_t)batch->last.len, JSON_STRING, 0};
}

/* Writes the batches before the unit, with a comma or a line end after each record. */
static void
put_batches(struct output *output, uint32_t first, uint32_t unit, bool is_element)
{
	struct into *into = output->into;

	for (uint32_t i = first; i < into_new_count(into) && into_new_at(into, i)->unit == unit;
	     i++) {
		struct into_new_batch *batch = into_new_at(into, i);
		struct str rest;

		if (into->format->time != NULL)
			into_new_place(into, batch, output->last, output->ms);
		into_new_write(into, batch, into_ids_before(&output->ids, batch, output->last));
		rest = batch->text;
		while (rest.len > 0) {
			struct json_value record = json_value_at(rest.ptr);

			if (!is_element || !session_layout_is_event(into->format, record)) {
				put_new_record(output, batch, record, is_element);
				into->records.new ++;
				output->ids.written++;
				buf_add_char(output->to, is_element ? ',' : '\n');
			}
			rest = str_rest(rest, record.len + (record.len < rest.len));
		}
		note_chain(output, batch);
		if (batch->last_asked.len > 0)
			output->ids.asked = batch->last_asked;
	}
}

/* Notes the edits of the unit's messages; of those that overlap, the outermost. */
static void
take_edits(struct output *output, const struct into_unit *unit)
{
	const struct into *into = output->into;
	const char *end = unit->whole.ptr + unit->whole.len, *done = unit->whole.ptr;

	for (uint32_t i = into_patch_first(into, done); i < into->edit_count; i++) {
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

/* Writes the unit with its edits: as an element, a line without its end. */
static void
put_unit(struct output *output, uint32_t number, bool is_element)
{
	const struct into *into = output->into;
	const struct session_layout *format = into->format;
	const struct into_unit *unit = &into->units.unit[number];
	struct json_value order = session_layout_at(unit->value, format->number);
	struct json_pieces pieces;
	char text[24];

	json_edit_reset(&output->edit, is_element ? json_span(unit->value) : unit->whole);
	take_edits(output, unit);
	into_copies_edit(&output->copies, unit, &output->edit);
	into_ids_edit(&output->ids, number, &output->edit);
	if (order.type == JSON_NUMBER) {
		int64_t given = json_integer(order, 0);

		output->number = given > output->number ? given : output->number + 1;
		snprintf(text, sizeof text, "%jd", (intmax_t)output->number);
		json_edit_replace(
		    &output->edit, json_span(order), json_edit_keep(&output->edit, str_from(text)));
	}
	if (output->edit.count == 0)
		output->into->records.same++;
	else
		output->into->records.edited++;
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
	if (unit->id.type != JSON_STRING ||
	    session_layout_is_head(output->into->format, unit->value))
		return;
	output->ms =
	    json_integer(session_layout_at(unit->value, output->into->format->time), output->ms);
	if (output->into->format->has_asked &&
	    json_is(session_layout_at(unit->value, "info.role"), STR("user")))
		output->ids.asked = json_span(unit->id);
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

		if (unit->is_gone) {
			output->into->records.gone++;
		} else {
			if (!is_first)
				keep(output, str_of(at, (size_t)(unit->whole.ptr - at)));
			if (unit->batch > 0)
				put_batches(output, unit->batch - 1, i, true);
			put_unit(output, unit->shown, true);
			note_written(output, unit);
			is_first = false;
		}
		at = unit->whole.ptr + unit->whole.len;
	}
	if (output->is_document && output->ending < into_new_count(into)) {
		if (!is_first)
			buf_add_char(output->to, ',');
		put_batches(output, output->ending, INTO_NONE, true);
		output->to->len -= output->to->ptr[output->to->len - 1] == ',';
	}
	keep(output, str_of(at, (size_t)(end - at)));
}

/* Writes a line that has no elements. */
static void
put_line(struct output *output, uint32_t line)
{
	struct into *into = output->into;
	struct into_unit *unit = &into->units.unit[line];

	unit->place = output->ids.written;
	if (unit->batch > 0) {
		buf_end_line(output->to);
		put_batches(
		    output, unit->batch - 1, into_new_at(into, unit->batch - 1)->unit, false);
	}
	if (unit->is_gone || into_copies_is_event(&output->copies, unit)) {
		output->into->records.gone++;
		return;
	}
	put_unit(output, unit->shown, false);
	output->ids.written += unit->value.type == JSON_OBJECT;
	note_written(output, unit);
}

/* In a file of lines, the batches at the end go before the appended lines: before the first of
 * these with a parent. */
static void
place_ending(struct output *output)
{
	struct into *into = output->into;
	struct into_units *units = &into->units;
	uint32_t count = into_new_count(into), unit = units->appended;

	output->ending = count;
	while (output->ending > 0 && into_new_at(into, output->ending - 1)->unit == INTO_NONE)
		output->ending--;
	if (output->ending == count || units->appended == units->count)
		return;
	while (unit < units->count &&
	    session_layout_at(units->unit[unit].value, into->format->parent).type == JSON_ABSENT)
		unit++;
	if (unit == units->count)
		unit = units->appended;
	units->unit[unit].batch = output->ending + 1;
	for (uint32_t i = output->ending; i < count; i++)
		if (into_new_at(into, i)->agent.len == 0 || into->agent.len > 0)
			into_new_at(into, i)->link = unit;
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
	if (output->ending == into_new_count(into) || output->is_document ||
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
	into_ids_read(&output->ids, into);
	into_copies_read(&output->copies, into);
	place_ending(output);
	put_all(output);
	if (output->is_folded)
		buf_add_str(to, str_rest(text, output->from));
	json_edit_free(&output->edit);
	into_ids_free(&output->ids);
	into_copies_free(&output->copies);
	free(output);
}
