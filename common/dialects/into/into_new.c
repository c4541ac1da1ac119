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
		uint32_t unit = ptr != NULL ? into_units_at(&into->units, ptr) : INTO_NONE;

		if (unit < first && !into->units.unit[unit].is_gone)
			first = unit;
	}
	return first;
}

void
into_new_find(struct into *into)
{
	struct into_batch batch = {.entries = 0};

	for (uint32_t i = 0; i <= into->entry_count; i++) {
		const struct into_entry *entry = &into->entry[i];

		if (i < into->entry_count && entry->is_anew) {
			if (batch.entries++ == 0)
				batch.entry = i;
			continue;
		}
		batch.unit = i < into->entry_count && entry->own != INTO_NONE ?
		    first_unit(into, &into->own[entry->own]) :
		    INTO_NONE;
		if (batch.entries == 0 || (batch.unit == INTO_NONE && i < into->entry_count))
			continue;
		buf_add(&into->batches, &batch, sizeof batch);
		batch.entries = 0;
		if (batch.unit != INTO_NONE)
			into->units.unit[batch.unit].batch =
			    (uint32_t)(into->batches.len / sizeof batch);
	}
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

/* Reads where the batch stands of the messages before it that are in the file. */
static void
find_place(const struct into *into, const struct into_batch *batch, struct session_file_place *place)
{
	const struct into_format *format = into->format;
	struct message message;
	bool is_asked = false, is_near = false;

	for (uint32_t i = batch->entry; i-- > 0 && !(is_asked && is_near);) {
		const struct into_entry *entry = &into->entry[i];
		struct str id;

		message_parse(&message, entry->text);
		if (!is_near) {
			int64_t ms = timestamp_read(message.meta[METADATA_TIMESTAMP]);

			place->ms = ms > place->ms ? ms : place->ms;
		}
		id = bare(message.meta[METADATA_ID], format->order);
		if (entry->is_anew || id.len == 0)
			continue;
		if (!is_near)
			place->order = id;
		is_near = true;
		is_asked = !format->has_asked || message.role == ROLE_USER;
		if (is_asked)
			place->asked = id;
	}
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
	struct session_file_place place = {.parent = parent, .order = STR("0"), .asked = STR("0")};
	struct collector collector = {.stage = {.take = collect, .fault = into->fault}};
	struct dialect_stage *writer = into->format->dialect->writer();
	struct tally dropped = {0};

	set_session(into, &place);
	find_place(into, batch, &place);
	writer->stage.next = &collector.stage;
	writer->stage.fault = into->fault;
	writer->dropped = &dropped;
	session_file_put_at(&writer->stage, &place);
	write_entries(into, batch, writer);
	session_file_last(&writer->stage, &place);
	batch->text = arena_copy_padded(&into->arena, buf_str(&collector.text));
	batch->last = arena_copy(&into->arena, str_from(place.last));
	writer->free(writer);
	buf_free(&collector.text);
	tally_free(&dropped);
}
