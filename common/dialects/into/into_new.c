#include "dialects/into/into_new.h"

#include "data/message/message.h"
#include "data/message/timestamp.h"
#include "dialects/session_file/session_file.h"
#include "json/string.h"

/* Takes what the writer of a session emits. */
struct collector {
	struct stage stage;
	struct buf text;
};

static void
collect(struct stage *stage, struct record *record)
{
	struct collector *collector = (struct collector *)stage;

	buf_add_str(&collector->text, record->line.text);
}

/* The first unit of the message, or INTO_NONE. */
static uint32_t
first_unit(const struct into *into, const struct into_own *own)
{
	uint32_t first = INTO_NONE;

	for (uint32_t j = 0; j < own->pieces; j++) {
		const char *ptr = into->piece[own->piece + j].ptr;
		uint32_t unit = ptr != NULL ?
		    into->units.unit[into_units_at(&into->units, ptr)].first :
		    INTO_NONE;

		if (unit < first && !into->units.unit[unit].is_gone)
			first = unit;
	}
	return first;
}

/* Without the prefix that forms write themselves. */
static struct str
bare(struct json_value id, const char *prefix)
{
	struct str text = id.type == JSON_STRING ? json_inner(id) : STR("");

	if (prefix != NULL && str_has_prefix(text, str_from(prefix)))
		text = str_rest(text, strlen(prefix));
	return text;
}

/* Notes the message, which stays in the file, as the one before the next batch. */
static void
note_before(const struct into_format *format, const struct into_entry *entry,
    struct into_batch *next)
{
	struct message message;
	int64_t ms;
	struct str id;

	message_parse(&message, entry->text);
	ms = timestamp_read(message.meta[METADATA_TIMESTAMP]);
	next->ms = ms > next->ms ? ms : next->ms;
	id = bare(message.meta[METADATA_ID], format->order);
	if (id.len == 0)
		return;
	next->order = id;
	if (message.role == ROLE_USER)
		next->asked = id;
}

/* Sets the unit in front of which the batches from first on stand. */
static void
set_unit(struct into *into, uint32_t *first, uint32_t unit)
{
	struct into_batch *list = (struct into_batch *)(void *)into->batches.ptr;
	uint32_t count = (uint32_t)(into->batches.len / sizeof *list);

	if (unit != INTO_NONE && *first < count)
		into->units.unit[unit].batch = *first + 1;
	for (; *first < count; ++*first)
		list[*first].unit = unit;
}

void
into_new_find(struct into *into)
{
	struct into_batch batch = {.order = STR("0"), .asked = STR("0")};
	uint32_t unit, first = 0;

	for (uint32_t i = 0; i < into->entry_count; i++) {
		const struct into_entry *entry = &into->entry[i];

		if (entry->is_anew) {
			if (batch.entries++ == 0)
				batch.entry = i;
			continue;
		}
		if (batch.entries > 0)
			buf_add(&into->batches, &batch, sizeof batch);
		batch.entries = 0;
		unit = first_unit(into, &into->own[entry->own]);
		if (unit != INTO_NONE)
			set_unit(into, &first, unit);
		note_before(into->format, entry, &batch);
	}
	if (batch.entries > 0)
		buf_add(&into->batches, &batch, sizeof batch);
	set_unit(into, &first, INTO_NONE);
}

static void
set_session(const struct into *into, struct session_file_place *place)
{
	struct message message;

	for (uint32_t i = 0; i < into->own_count && place->session.len == 0; i++) {
		message_parse(&message, into->own[i].text);
		place->session =
		    bare(message.meta[METADATA_SESSION_ID], into->format->prefix);
	}
}

/* Puts the messages of the batch through the writer. */
static void
write_entries(struct into *into, const struct into_batch *batch, struct dialect_stage *writer)
{
	static const struct line nowhere;
	struct message message;
	struct record record;

	for (uint32_t i = 0; i < batch->entries; i++) {
		record_make(&record, &nowhere, into->entry[batch->entry + i].text);
		record.message = &message;
		message_parse(&message, record.line.text);
		writer->stage.take(&writer->stage, &record);
	}
	writer->stage.end(&writer->stage);
}

void
into_new_write(struct into *into, struct into_batch *batch, struct str parent)
{
	struct session_file_place place = {
	    .parent = parent, .order = batch->order, .asked = batch->asked, .ms = batch->ms};
	struct collector collector = {.stage = {.take = collect, .fault = into->fault}};
	struct dialect_stage *writer = into->format->dialect->writer();
	struct tally dropped = {0};

	set_session(into, &place);
	writer->stage.next = &collector.stage;
	writer->stage.fault = into->fault;
	writer->dropped = &dropped;
	session_file_put_at(writer, &place);
	write_entries(into, batch, writer);
	session_file_last(writer, &place);
	batch->text = arena_copy_padded(&into->arena, buf_str(&collector.text));
	batch->last = arena_copy(&into->arena, str_from(place.last));
	if (into->format->has_asked) {
		buf_reset(&collector.text);
		buf_add_fmt(&collector.text, "\"%s%s\"", into->format->order, place.last_asked);
		batch->last_asked = arena_copy(&into->arena, buf_str(&collector.text));
	}
	writer->free(writer);
	buf_free(&collector.text);
}
