#include "dialects/into/into_plan.h"

#include <stdlib.h>

#include "base/list.h"
#include "data/message/message.h"
#include "dialects/into/into_history.h"
#include "dialects/into/into_patch.h"

/* The messages that are to be written anew, and from which others follow. */
struct spread {
	struct into *into;
	uint32_t *own; /* a list */
	uint32_t count, cap;
};

static bool
refuse(struct into *into, const struct into_entry *entry)
{
	if (into->own_count == 0)
		return fault_set(into->fault, STATUS_USAGE,
		    "the messages of the log are in other files, as in a storage of opencode, "
		    "which are not written: export the session, and read that");
	return fault_set(into->fault, STATUS_USAGE,
	    "no message of the file has the metadata.source %.*s, or two of the stream have it: "
	    "read the file with the same options, and put nothing else into the stream",
	    STR_ARG(json_span(entry->source)));
}

/* Finds the message of the file that each entry was. */
static bool
link_sources(struct into *into)
{
	for (uint32_t i = 0; i < into->entry_count; i++) {
		struct into_entry *entry = &into->entry[i];
		uint64_t own;

		if (entry->source.type == JSON_ABSENT)
			continue;
		own = map_get(&into->sources, hash_label(json_span(entry->source)));
		if (own == MAP_NONE || into->own[own].entry != INTO_NONE)
			return refuse(into, entry);
		entry->own = (uint32_t)own;
		into->own[own].entry = i;
	}
	return true;
}

/* Messages without a source, which the repair of both readings made, are the same where they follow
 * the same message. */
static void
link_made(struct into *into)
{
	for (uint32_t i = 0; i < into->own_count; i++) {
		uint32_t next = i > 0 ? into->own[i - 1].entry : INTO_NONE;

		next = i == 0 ? 0 : next == INTO_NONE ? next : next + 1;
		if (into->own[i].has_source || next >= into->entry_count ||
		    into->entry[next].own != INTO_NONE ||
		    into->entry[next].source.type != JSON_ABSENT ||
		    !str_eq(into->own[i].text, into->entry[next].text))
			continue;
		into->entry[next].own = i;
		into->own[i].entry = next;
	}
}

static struct hash
call_key(struct json_value id)
{
	return hash_label(json_span(id));
}

/* Notes which entry has the call that each result answers. */
static void
link_calls(struct into *into)
{
	struct map calls = MAP_INIT;
	struct message message;

	for (uint32_t i = 0; i < into->entry_count; i++) {
		struct into_entry *entry = &into->entry[i];
		uint64_t asked;

		message_reread(&message, entry->text);
		entry->answers = entry->result = entry->next = INTO_NONE;
		for (struct json_walk walk = json_walk_list(message.tool_calls);
		     json_walk_next(&walk);)
			map_set(&calls, call_key(json_find(walk.value, STR("id"))), i);
		if (message.role != ROLE_TOOL)
			continue;
		asked = map_get(&calls, call_key(message.tool_call_id));
		if (asked == MAP_NONE)
			continue;
		entry->answers = (uint32_t)asked;
		entry->next = into->entry[asked].result;
		into->entry[asked].result = i;
	}
	map_free(&calls);
}

/* Notes the texts of a removed message, so that copies of them are removed. Ids are left out, since
 * other records have them, too. */
static void
note_gone(struct into *into, struct str text)
{
	static const struct json_value none = {.type = JSON_ABSENT};
	struct message message;
	struct tool_call call;

	message_reread(&message, text);
	into_patch_note(into, message.content, none);
	into_patch_note(into, message.reasoning, none);
	into_patch_note(into, message.refusal, none);
	for (struct call_walk walk = call_walk_of(&message); call_walk_next(&walk, &call);)
		into_patch_note(into, call.arguments, none);
}

static void
set_anew(struct spread *spread, uint32_t own)
{
	struct into *into = spread->into;

	if (into->own[own].fate == INTO_GONE || into->own[own].fate == INTO_ANEW)
		return;
	into->own[own].fate = INTO_ANEW;
	into->entry[into->own[own].entry].is_anew = true;
	LIST_ADD(spread->own, spread->count, spread->cap, own);
}

/* The message whose call the entry answers is written anew with the entry, and so are the results
 * of its calls. */
static void
spread_calls(struct spread *spread, const struct into_entry *entry)
{
	const struct into *into = spread->into;

	if (entry->answers != INTO_NONE && into->entry[entry->answers].own != INTO_NONE)
		set_anew(spread, into->entry[entry->answers].own);
	for (uint32_t i = entry->result; i != INTO_NONE; i = into->entry[i].next)
		if (into->entry[i].own != INTO_NONE)
			set_anew(spread, into->entry[i].own);
}

/* Sets the fates of messages that are there, each by itself. */
static void
compare(struct spread *spread)
{
	struct into *into = spread->into;
	uint32_t newest = 0;

	for (uint32_t i = 0; i < into->entry_count; i++) {
		struct into_entry *entry = &into->entry[i];
		struct into_own *own;
		bool is_patched;

		entry->is_anew = entry->own == INTO_NONE;
		if (entry->is_anew)
			continue;
		own = &into->own[entry->own];
		own->fate = INTO_SAME;
		if (entry->own < newest) {
			set_anew(spread, entry->own); /* it has moved */
			continue;
		}
		newest = entry->own;
		own->edit = into->edit_count;
		is_patched = into_patch(into, own, entry->text);
		own->edits = into->edit_count - own->edit;
		own->fate = own->edits > 0 ? INTO_CHANGED : INTO_SAME;
		if (!is_patched)
			set_anew(spread, entry->own);
	}
}

static struct into_unit *
unit_at(struct into *into, const char *ptr)
{
	return &into->units.unit[into_units_at(&into->units, ptr)];
}

static bool
is_piece(const struct provenance_piece *piece)
{
	return piece->ptr != NULL && piece->kind != PROVENANCE_RECORD &&
	    piece->kind != PROVENANCE_ARGUMENTS && piece->kind != PROVENANCE_CONTENT;
}

/* Counts the messages and the pieces of each unit, and lists its messages. */
static void
count_units(struct into *into)
{
	for (uint32_t i = 0; i < into->own_count; i++)
		for (uint32_t j = 0; j < into->own[i].pieces; j++) {
			const struct provenance_piece *piece = &into->piece[into->own[i].piece + j];
			struct into_unit *unit;

			if (piece->ptr == NULL)
				continue;
			unit = unit_at(into, piece->ptr);
			unit->pieces += is_piece(piece);
			unit->has_pieces |= is_piece(piece);
			if (unit->stamp == i + 1)
				continue;
			unit->stamp = i + 1;
			unit->messages++;
			unit->is_made = !session_layout_is_head(into->format, unit->value);
			LIST_ADD(into->link, into->link_count, into->link_cap,
			    (struct into_link){i, unit->links});
			unit->links = into->link_count;
		}
}

/* Changes the counts of pieces by those that the message's edits take out. */
static void
count_removed(struct into *into, const struct into_own *own, uint32_t by)
{
	for (uint32_t i = own->edit; i < own->edit + own->edits; i++) {
		const struct into_edit *edit = &into->edit[i];

		if (edit->is_removed && edit->name.type == JSON_ABSENT)
			unit_at(into, edit->span.ptr)->pieces += by;
	}
}

static void
note_changed(struct into *into, const struct into_own *own)
{
	for (uint32_t i = own->edit; i < own->edit + own->edits; i++)
		unit_at(into, into->edit[i].span.ptr)->is_changed = true;
}

/* Removes a dropped message from the counts of its units. */
static void
take_out(struct into *into, const struct into_own *own)
{
	uint32_t number = (uint32_t)(own - into->own) + 1;

	count_removed(into, own, 1);
	for (uint32_t j = 0; j < own->pieces; j++) {
		const struct provenance_piece *piece = &into->piece[own->piece + j];
		struct into_unit *unit;

		if (piece->ptr == NULL)
			continue;
		unit = unit_at(into, piece->ptr);
		unit->pieces -= is_piece(piece);
		if (unit->stamp == INTO_NONE - number)
			continue;
		unit->stamp = INTO_NONE - number;
		unit->messages--;
	}
	note_gone(into, own->text);
}

static bool
is_unit_gone(const struct into_unit *unit)
{
	return unit->is_made && (unit->messages == 0 || (unit->has_pieces && unit->pieces == 0));
}

/* Whether the value with which the message began is taken out: with a call, its result goes. */
static bool
is_removed(const struct into *into, const struct provenance_piece *begun)
{
	return begun->ptr != NULL &&
	    map_get(&into->removed, into_place_key(into, begun->ptr)) != MAP_NONE;
}

/* Whether the record has a call without its result, or the reverse, when the message is dropped. */
static bool
parts_call(const struct into *into, const struct into_own *own, const struct into_unit *unit)
{
	for (uint32_t link = unit->links; link > 0; link = into->link[link - 1].next) {
		const struct into_own *other = &into->own[into->link[link - 1].own];

		if (other->fate != INTO_GONE &&
		    (own->call_id.type == JSON_STRING) != (other->call_id.type == JSON_STRING))
			return true;
	}
	return false;
}

/* Takes the pieces of a dropped message out of the records that stay. If that is impossible for a
 * record, all its messages are written anew. */
static void
part(struct spread *spread, const struct into_own *own)
{
	struct into *into = spread->into;

	for (uint32_t j = 0; j < own->pieces; j++) {
		const struct provenance_piece *of = &into->piece[own->piece], *piece = &of[j];
		const struct into_unit *unit;

		/* A message without pieces is not taken out of its record by itself. */
		if (!is_piece(piece) && (own->pieces > 1 || piece->ptr == NULL))
			continue;
		unit = unit_at(into, piece->ptr);
		if (!unit->is_made || is_unit_gone(unit) || is_removed(into, of) ||
		    (is_piece(piece) && !parts_call(into, own, unit) &&
			into_patch_remove(into, piece)))
			continue;
		for (uint32_t link = unit->links; link > 0; link = into->link[link - 1].next)
			set_anew(spread, into->link[link - 1].own);
	}
}

/* A compaction that is a question and its answer loses its sense without one of them: the other is
 * then written anew, as a message that takes the place of nothing. */
static void
part_compactions(struct spread *spread)
{
	struct into *into = spread->into;

	for (uint32_t i = 1; into->format->has_asked && i < into->own_count; i++) {
		const struct into_own *asked = &into->own[i - 1], *own = &into->own[i];

		if (!own->is_summary || asked->fate == own->fate)
			continue;
		if (asked->fate == INTO_GONE || asked->fate == INTO_ANEW)
			set_anew(spread, i);
		else if (own->fate == INTO_GONE || own->fate == INTO_ANEW)
			set_anew(spread, i - 1);
	}
}

/* A new record before the summary of the agent's own compaction would count as compacted. So the
 * summary is then written anew, as a message after it. */
static void
part_summaries(struct spread *spread)
{
	struct into *into = spread->into;
	bool has_new = false;

	for (uint32_t i = 0; i < into->entry_count; i++) {
		const struct into_entry *entry = &into->entry[i];

		has_new |= entry->is_anew;
		if (has_new && entry->own != INTO_NONE &&
		    into_history_is_summary(into, &into->own[entry->own]))
			set_anew(spread, entry->own);
	}
}

/* Whether each change has a place. There is none in a document that is no list of records, such as
 * one of events, nor if the reader changed the order of a document's records. */
static bool
check_places(const struct into *into)
{
	bool has_places = !into->is_document || into->units.count == 0 ||
	    into->units.unit[0].list.type == JSON_ARRAY,
	     is_changed = false;

	for (uint32_t i = 0; i < into->own_count; i++) {
		const struct into_own *own = &into->own[i];

		is_changed |= own->fate != INTO_SAME;
		if (own->has_source && (into->is_document || own->fate != INTO_SAME))
			has_places &= own->pieces > 0 && into->piece[own->piece].ptr != NULL;
	}
	for (uint32_t i = 0; i < into->entry_count; i++)
		is_changed |= into->entry[i].is_anew;
	return has_places || !is_changed ||
	    fault_set(into->fault, STATUS_USAGE,
		"changes have no place in the file: it is no list of %s's messages in their order",
		into->format->dialect->name);
}

bool
into_plan(struct into *into)
{
	struct spread spread = {.into = into};
	uint32_t taken = 0;

	if (!link_sources(into))
		return false;
	link_made(into);
	link_calls(into);
	compare(&spread);
	for (uint32_t i = 0; i < into->entry_count; i++)
		if (into->entry[i].own == INTO_NONE)
			spread_calls(&spread, &into->entry[i]);
	part_summaries(&spread);
	part_compactions(&spread);
	count_units(into);
	for (uint32_t i = 0; i < into->own_count; i++)
		count_removed(into, &into->own[i], (uint32_t)-1);
	for (uint32_t i = 0; i < into->own_count; i++)
		if (into->own[i].fate == INTO_GONE)
			take_out(into, &into->own[i]);
		else if (into->own[i].fate == INTO_CHANGED)
			note_changed(into, &into->own[i]);
	for (uint32_t i = 0; i < into->own_count; i++)
		if (into->own[i].fate == INTO_GONE)
			part(&spread, &into->own[i]);
	for (; taken < spread.count; taken++) {
		const struct into_own *own = &into->own[spread.own[taken]];

		spread_calls(&spread, &into->entry[own->entry]);
		take_out(into, own);
		part(&spread, own);
	}
	free(spread.own);
	for (uint32_t i = 0; i < into->units.count; i++)
		into->units.unit[i].is_gone = is_unit_gone(&into->units.unit[i]);
	into_history_take(into);
	return check_places(into);
}
