#include "dialects/into/into.h"

#include <stdlib.h>

#include "base/list.h"
#include "data/message/message.h"
#include "dialects/dialect_reader.h"
#include "dialects/into/into_new.h"
#include "dialects/into/into_plan.h"
#include "dialects/into/into_write.h"
#include "policy/normalize/repair.h"
#include "policy/summary/summary_opening.h"

static struct json_value
source_of(const struct message *message)
{
	struct json_value source = json_find(message->metadata, STR("source"));

	if (source.type != JSON_NUMBER && source.type != JSON_STRING)
		source.type = JSON_ABSENT;
	return source;
}

/* Behind the reader: notes the pieces of a message, which leaves. */
static void
note_pieces(struct stage *stage, struct record *record)
{
	struct into *into = (struct into *)((char *)stage - offsetof(struct into, behind_reader));
	const struct buf *of = into->provenance.of;
	struct message message;
	struct json_value source = {.type = JSON_ABSENT};
	const struct provenance_piece *piece;
	uint64_t first = into->piece_count;

	if (record->kind == RECORD_MESSAGE && of != NULL)
		source = source_of(record_message(record, &message));
	if (source.type != JSON_ABSENT) {
		piece = (const struct provenance_piece *)(const void *)of->ptr;
		for (size_t i = 0; i < of->len / sizeof *piece; i++)
			LIST_ADD(into->piece, into->piece_count, into->piece_cap, piece[i]);
		map_set(&into->pieces, hash_label(json_span(source)),
		    first << 32 | (into->piece_count - first));
	}
	into->provenance.of = NULL;
	stage_emit(stage, record);
}

/* Takes a message of the file as the log has it. */
static void
take_own(struct stage *stage, struct record *record)
{
	struct into *into = (struct into *)((char *)stage - offsetof(struct into, last));
	struct into_own own = {.entry = INTO_NONE};
	struct message message;
	struct json_value source;
	struct str agent;
	uint64_t pieces;

	if (record->kind != RECORD_MESSAGE)
		return;
	record_settle(record, &into->scratch);
	own.text = arena_copy_padded(&into->arena, record->line.text);
	message_parse(&message, own.text);
	source = source_of(&message);
	own.session_id = message.meta[METADATA_SESSION_ID];
	own.calls = message.tool_calls;
	own.call_id = message.tool_call_id;
	/* That of the agent's own compaction, and no artifact. */
	own.is_summary = json_is(message.meta[METADATA_KIND], STR("summary")) &&
	    !(message.content.type == JSON_STRING &&
		summary_opening_begins(json_inner(message.content)));
	own.has_source = source.type != JSON_ABSENT;
	if (own.has_source) {
		map_set(&into->sources, hash_label(json_span(source)), into->own_count);
		pieces = map_get(&into->pieces, hash_label(json_span(source)));
		own.piece = pieces != MAP_NONE ? (uint32_t)(pieces >> 32) : 0;
		own.pieces = pieces != MAP_NONE ? (uint32_t)pieces : 0;
	}
	agent = json_span(message.meta[METADATA_AGENT_ID]);
	if (into->own_count == 0)
		into->agent = agent;
	else if (!str_eq(agent, into->agent))
		into->agent = STR("");
	if (into->named.len == 0 && into_names_model(&message))
		into->named = own.text;
	LIST_ADD(into->own, into->own_count, into->own_cap, own);
}

/* Hands a line of the file to the reader. */
static void
feed(struct into *into, struct stage *first, const char *file, uint32_t number,
    const struct into_unit *unit)
{
	struct str text = into_units_text(unit);
	struct str whole = str_of(text.ptr, (size_t)(unit->whole.ptr + unit->whole.len - text.ptr));
	struct message message;
	struct record record = {
	    .line = {.raw = text, .text = text, .file = file, .number = number, .place = number},
	    .message = &message};

	if (message_parse_line(&message, whole, &into->spans) == 0)
		message_parse(&message, text);
	record.kind = message.kind;
	if (!fault_is_set(into->fault))
		first->take(first, &record);
}

bool
into_read(struct into *into, const char *file, bool all, bool lossy)
{
	struct tally skipped = {.sum = 0}, sealed = {.sum = 0};
	struct dialect_reading reading = {.all = all,
	    .lossy = lossy,
	    .looks_ahead = true,
	    .is_one_file = true,
	    .skipped = &skipped,
	    .sealed = &sealed,
	    .provenance = &into->provenance};
	struct dialect_stage *reader = dialect_reader_open(into->format->dialect, &reading);
	struct repair repair;
	uint32_t number = 0;

	repair_init(&repair, NULL, false, false, REPAIR_OPEN_KEEP);
	stage_link(
	    (struct stage *const[]){&reader->stage, &into->behind_reader, &repair.stage, NULL},
	    &into->last, into->fault);
	for (uint32_t i = 0; i < into->units.appended; i += 1 + into->units.unit[i].elements)
		feed(into, &reader->stage, file, ++number, &into->units.unit[i]);
	if (!fault_is_set(into->fault))
		stage_end(&reader->stage);
	reader->free(reader);
	repair_free(&repair);
	buf_free(&reading.flaws);
	return !fault_is_set(into->fault);
}

void
into_init(struct into *into, const struct session_layout *format, struct str text, size_t len,
    bool is_document, struct fault *fault)
{
	*into = (struct into){.format = format,
	    .provenance = {.text = str_of(text.ptr, len)},
	    .fault = fault,
	    .is_document = is_document,
	    .behind_reader = {.take = note_pieces, .end = stage_pass_end},
	    .last = {.take = take_own, .end = stage_pass_end, .fault = fault}};
	into_units_read(&into->units, format, text, len, is_document);
}

void
into_take(struct into *into, struct str text)
{
	struct into_entry entry = {.text = arena_copy_padded(&into->arena, text), .own = INTO_NONE};
	struct message message;

	message_parse(&message, entry.text);
	entry.source = source_of(&message);
	LIST_ADD(into->entry, into->entry_count, into->entry_cap, entry);
}

bool
into_end(struct into *into, struct str text, struct buf *to)
{
	if (!into_plan(into))
		return false;
	into_new_find(into);
	into_write(into, text, into->is_document, to);
	for (uint32_t i = 0; i < into->own_count; i++)
		into->counts[into->own[i].fate] += into->own[i].fate != INTO_ANEW;
	for (uint32_t i = 0; i < into->entry_count; i++)
		into->counts[INTO_ANEW] += into->entry[i].is_anew;
	return !fault_is_set(into->fault);
}

void
into_free(struct into *into)
{
	into_units_free(&into->units);
	free(into->own);
	free(into->piece);
	free(into->entry);
	free(into->edit);
	free(into->link);
	buf_free(&into->batches);
	buf_free(&into->scratch);
	map_free(&into->pieces);
	map_free(&into->sources);
	map_free(&into->removed);
	map_free(&into->gone);
	arena_free(&into->arena);
}
