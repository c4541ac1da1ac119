#include "dialects/into/into_new.h"

#include "data/message/message.h"
#include "data/message/timestamp.h"
#include "dialects/session_file/session_file.h"
#include "json/string.h"

enum { ID_MAX = 100 };

/* Takes the output of the writer of a session. */
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

/* The first unit of the message, of those that are gone or of those that stay, before which others
 * may be put; or INTO_NONE. */
static uint32_t
first_unit(const struct into *into, const struct into_own *own, bool is_gone)
{
	uint32_t first = INTO_NONE;

	for (uint32_t j = 0; j < own->pieces; j++) {
		const char *ptr = into->piece[own->piece + j].ptr;
		uint32_t unit = ptr != NULL ?
		    into->units.unit[into_units_at(&into->units, ptr)].first :
		    INTO_NONE;

		if (unit < first && into->units.unit[unit].is_gone == is_gone &&
		    !session_layout_is_head(into->format, into->units.unit[unit].value))
			first = unit;
	}
	return first;
}

/* The line in whose place the message is written anew, so that lines after it, such as the usage of
 * its request, stay after it; or INTO_NONE. Records with parents keep their places in the chain
 * instead. */
static uint32_t
own_line(const struct into *into, const struct into_entry *entry)
{
	uint32_t unit = INTO_NONE;

	if (entry->own != INTO_NONE && into->format->parent == NULL)
		unit = first_unit(into, &into->own[entry->own], true);
	return unit != INTO_NONE && into->units.unit[unit].line == INTO_NONE ? unit : INTO_NONE;
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

/* The state of the search for batches. */
struct search {
	struct into *into;
	struct into_new_batch next; /* that is gathered */
	uint32_t first;             /* the first batch that has no unit yet */
	uint32_t after;             /* the unit after the last one that is such a place, or 0 */
	struct map waiting;         /* of agents -> the newest batch that has no link yet + 1 */
	struct map kin;             /* of agents -> the last unit */
	struct map named;           /* of agents -> the last entry that names its model */
};

/* Ends the batch that is gathered. */
static void
push(struct search *search)
{
	struct into_new_batch *batch = &search->next;
	struct into *into = search->into;
	struct hash agent = hash_label(batch->agent);
	uint64_t waiting = map_get(&search->waiting, agent), kin = map_get(&search->kin, agent);

	if (batch->entries == 0)
		return;
	batch->link = INTO_NONE;
	batch->kin = kin != MAP_NONE ? (uint32_t)kin : INTO_NONE;
	batch->waits = waiting != MAP_NONE ? (uint32_t)waiting : 0;
	buf_add(&into->batches, batch, sizeof *batch);
	map_set(&search->waiting, agent, into_new_count(into));
	if (batch->unit != INTO_NONE)
		search->first = into_new_count(into);
	batch->unit = INTO_NONE;
	batch->entries = 0;
}

/* Sets the unit as the place of the batches that have none. */
static void
set_place(struct search *search, uint32_t unit)
{
	for (; search->first < into_new_count(search->into); search->first++)
		into_new_at(search->into, search->first)->unit = unit;
	search->after = unit + 1;
}

/* Begins a batch with the entry at the place of the line, to which a new call comes with its
 * result. */
static void
begin_at(struct search *search, const struct into_entry *entry, uint32_t line)
{
	if (entry->answers == INTO_NONE || search->into->entry[entry->answers].own != INTO_NONE)
		push(search);
	if (search->next.unit != INTO_NONE)
		return;
	search->into->units.unit[line].batch = search->first + 1;
	set_place(search, line);
	search->next.unit = line;
}

/* Sets the unit as the place of the batches that have none, and as the link of those of its
 * agent. */
static void
set_unit(struct search *search, uint32_t unit, struct str name)
{
	struct into *into = search->into;
	struct hash agent = hash_label(name);
	uint64_t waiting = map_get(&search->waiting, agent);

	if (search->first < into_new_count(into))
		into->units.unit[unit].batch = search->first + 1;
	set_place(search, unit);
	if (waiting != MAP_NONE)
		map_remove(&search->waiting, agent);
	for (; waiting != MAP_NONE && waiting > 0; waiting = into_new_at(into, waiting - 1)->waits)
		into_new_at(into, waiting - 1)->link = into_new_at(into, waiting - 1)->kin = unit;
	map_set(&search->kin, agent, unit);
}

/* Notes the message, which stays in the file, as the one before the next batch. */
static void
note_before(struct search *search, const struct into_entry *entry, const struct message *message)
{
	struct into_new_batch *next = &search->next;
	int64_t ms = timestamp_read(message->meta[METADATA_TIMESTAMP]);
	struct str id = bare(message->meta[METADATA_ID], search->into->format->order);
	uint32_t unit = first_unit(search->into, &search->into->own[entry->own], false);

	push(search);
	if (unit != INTO_NONE)
		set_unit(search, unit, json_span(message->meta[METADATA_AGENT_ID]));
	next->ms = ms > next->ms ? ms : next->ms;
	if (id.len == 0)
		return;
	next->order = id;
	if (message->role == ROLE_USER)
		next->asked = id;
}

/* New records of an agent of which no record stays are modelled on the first record that it had. */
static void
find_lost_kin(struct into *into)
{
	struct map first = MAP_INIT;
	struct message message;

	for (uint32_t i = 0, read = 0; i < into_new_count(into); i++) {
		struct into_new_batch *batch = into_new_at(into, i);
		uint64_t kin;

		if (batch->kin != INTO_NONE || batch->agent.len == 0)
			continue;
		for (; read < into->own_count; read++) {
			const struct into_own *own = &into->own[read];
			const char *ptr = own->pieces > 0 ? into->piece[own->piece].ptr : NULL;
			struct hash agent;

			message_reread(&message, own->text);
			agent = hash_label(json_span(message.meta[METADATA_AGENT_ID]));
			if (ptr != NULL && map_get(&first, agent) == MAP_NONE)
				map_set(&first, agent, into_units_at(&into->units, ptr));
		}
		kin = map_get(&first, hash_label(batch->agent));
		if (kin != MAP_NONE)
			batch->kin = (uint32_t)kin;
	}
	map_free(&first);
}

/* The message whose model is that of the agent's next answer, if that names none. */
static struct str
named_before(const struct search *search, struct str agent)
{
	uint64_t entry = map_get(&search->named, hash_label(agent));

	return entry != MAP_NONE ? search->into->entry[entry].text : search->into->named;
}

void
into_new_find(struct into *into)
{
	struct search search = {
	    .into = into, .next = {.unit = INTO_NONE, .order = STR("0"), .asked = STR("0")}};
	struct message message;

	for (uint32_t i = 0; i < into->entry_count; i++) {
		const struct into_entry *entry = &into->entry[i];
		uint32_t line = own_line(into, entry);
		struct str agent;

		message_reread(&message, entry->text);
		agent = json_span(message.meta[METADATA_AGENT_ID]);
		if (agent.len == 0)
			agent = into->agent;
		if (into_names_model(&message))
			map_set(&search.named, hash_label(agent), i);
		if (!entry->is_anew) {
			note_before(&search, entry, &message);
			continue;
		}
		if (!str_eq(agent, search.next.agent))
			push(&search);
		if (line != INTO_NONE && line >= search.after)
			begin_at(&search, entry, line);
		if (search.next.entries++ == 0) {
			search.next.entry = i;
			search.next.named = named_before(&search, agent);
		}
		search.next.agent = agent;
	}
	push(&search);
	find_lost_kin(into);
	map_free(&search.waiting);
	map_free(&search.kin);
	map_free(&search.named);
}

void
into_new_place(struct into *into, struct into_new_batch *batch, struct json_value last, int64_t ms)
{
	const struct session_layout *format = into->format;
	struct json_value next = {.type = JSON_ABSENT};
	int64_t behind = INT64_MAX;
	struct buf order = BUF_INIT;

	if (batch->unit != INTO_NONE) {
		next = into->units.unit[batch->unit].id;
		behind = json_integer(
		    session_layout_at(into->units.unit[batch->unit].value, format->time), behind);
	}
	batch->ms = ms;
	batch->until = behind > ms ? behind - 1 : ms;
	if (last.type == JSON_STRING)
		batch->order = bare(last, format->order);
	/* The ids of an earlier run begin with the id before them; this byte is before digits. */
	buf_add_str(&order, batch->order);
	while (order.len < ID_MAX && str_has_prefix(bare(next, format->order), buf_str(&order)))
		buf_add_char(&order, '-');
	batch->order = arena_copy(&into->arena, buf_str(&order));
	buf_free(&order);
}

static void
set_session(const struct into *into, struct session_file_place *place)
{
	struct message message;

	for (uint32_t i = 0; i < into->own_count && place->session.len == 0; i++) {
		message_reread(&message, into->own[i].text);
		place->session = bare(message.meta[METADATA_SESSION_ID], into->format->prefix);
	}
}

/* Puts the messages of the batch through the writer. Others are left out, since the writer would
 * pass them. */
static void
write_entries(struct into *into, const struct into_new_batch *batch, struct dialect_stage *writer)
{
	static const struct line nowhere;
	struct message message;
	struct record record;
	uint32_t recalled = INTO_NONE;

	for (uint32_t i = 0; i < batch->entries; i++) {
		const struct into_entry *entry = &into->entry[batch->entry + i];

		/* Messages of other agents, and other lines, may be between a call and its result.
		 */
		if (entry->answers < batch->entry && entry->answers != recalled) {
			recalled = entry->answers;
			message_reread(&message, into->entry[recalled].text);
			session_file_recall(writer, &message);
		}
		record_make(&record, &nowhere, entry->text);
		record.message = &message;
		message_reread(&message, record.line.text);
		if (message.role == ROLE_OTHER)
			tally_add(writer->dropped, STR("message"));
		else
			writer->stage.take(&writer->stage, &record);
	}
	writer->stage.end(&writer->stage);
}

void
into_new_write(struct into *into, struct into_new_batch *batch, struct str parent)
{
	struct session_file_place place = {.parent = parent,
	    .order = batch->order,
	    .asked = batch->asked,
	    .ms = batch->ms,
	    .until = batch->until};
	struct collector collector = {.stage = {.take = collect, .fault = into->fault}};
	struct dialect_stage *writer = into->format->dialect->writer();
	struct message message;

	set_session(into, &place);
	writer->stage.next = &collector.stage;
	writer->stage.fault = into->fault;
	writer->dropped = &into->dropped;
	session_file_put_at(writer, &place);
	if (batch->named.len > 0) {
		message_reread(&message, batch->named);
		session_file_name_model(writer, &message);
	}
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
