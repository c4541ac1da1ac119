#include "policy/compact/align.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/byte.h"
#include "base/hash/map.h"
#include "base/mem.h"
#include "json/canon.h"

struct align {
	struct align_record *in, *out;
	uint32_t in_count, out_count;
	struct map by_value, by_id; /* the last record of the input that is left of that hash */
};

/* Copies canonical JSON with its numbers spelled by their value. */
static void
add_numbers(struct str json, struct buf *out)
{
	const char *p = json.ptr, *end = json.ptr + json.len;
	bool in_string = false;
	char number[32];

	while (p < end) {
		if (in_string || (*p != '-' && !byte_is_digit(*p))) {
			if (*p == '"')
				in_string = !in_string;
			buf_add_char(out, *p);
			if (*p++ == '\\')
				buf_add_char(out, *p++);
			continue;
		}
		snprintf(number, sizeof number, "%.17g", strtod(p, NULL));
		buf_add_str(out, str_from(number));
		p += json_value_at(p).len;
	}
}

void
align_canon(struct json_value value, struct buf *text, struct arena *arena)
{
	struct buf canon = BUF_INIT;

	json_canon(value, &canon, arena);
	buf_pad(&canon);
	add_numbers(buf_str(&canon), text);
	buf_free(&canon);
}

static struct hash
value_hash(const struct message *message, struct arena *arena)
{
	struct buf text = BUF_INIT;
	struct hash hash;

	align_canon(message->value, &text, arena);
	hash = hash_bytes(buf_str(&text), hash_seed(HASH_RECORD));
	buf_free(&text);
	return hash;
}

/* Sets the hash that identifies the message: of its id, of the call that it answers, or of its
 * first call. */
static void
read_id(const struct message *message, struct align_record *record)
{
	enum { OF_RESULT, OF_CALL };
	struct json_value id = message->meta[METADATA_ID];
	struct hash seed = hash_seed(HASH_MESSAGE_ID);
	struct buf scratch = BUF_INIT;
	struct call_walk walk = call_walk_of(message);
	struct tool_call call;

	if (id.type != JSON_STRING) {
		id = message->tool_call_id;
		seed = hash_number(OF_RESULT, hash_seed(HASH_CALL_ID));
	}
	if (id.type == JSON_ABSENT && call_walk_next(&walk, &call)) {
		id = call.id;
		seed = hash_number(OF_CALL, hash_seed(HASH_CALL_ID));
	}
	record->has_id = id.type == JSON_STRING || id.type == JSON_NUMBER;
	if (record->has_id)
		record->id = hash_bytes(call_id_text(id, &scratch), seed);
	buf_free(&scratch);
}

static void
read_records(struct align_record *record, uint32_t count)
{
	struct arena arena = ARENA_INIT;
	struct message message;

	for (uint32_t i = 0; i < count; i++) {
		struct str text = record[i].text;

		message_reread(&message, text);
		record[i] = (struct align_record){.text = text,
		    .match = ALIGN_NONE,
		    .has_kind = message.meta[METADATA_KIND].type == JSON_STRING &&
			json_inner(message.meta[METADATA_KIND]).len > 0,
		    .role = (uint8_t)message.role,
		    .value = value_hash(&message, &arena),
		    .same_value = ALIGN_NONE,
		    .same_id = ALIGN_NONE};
		read_id(&message, &record[i]);
		arena_reset(&arena);
	}
	arena_free(&arena);
}

/* Chains the records of the input by their hashes, the last one first. */
static void
chain(struct align *align)
{
	for (uint32_t i = 0; i < align->in_count; i++) {
		struct align_record *in = &align->in[i];
		uint64_t before = map_set(&align->by_value, in->value, i);

		in->same_value = before == MAP_NONE ? ALIGN_NONE : (uint32_t)before;
		if (!in->has_id)
			continue;
		before = map_set(&align->by_id, in->id, i);
		in->same_id = before == MAP_NONE ? ALIGN_NONE : (uint32_t)before;
	}
}

/* The last record of that hash before the bound that has no match, or ALIGN_NONE. Sets *behind to a
 * record without a match after the bound, if there is one. Of the records passed over, only that
 * one is visited again. */
static uint32_t
take(struct align *align, struct map *map, struct hash hash, uint32_t bound, uint32_t *behind)
{
	uint64_t at = map_get(map, hash), last = at;

	while (at != MAP_NONE && (at >= bound || align->in[at].match != ALIGN_NONE)) {
		const struct align_record *in = &align->in[at];
		uint32_t same = map == &align->by_value ? in->same_value : in->same_id;

		if (in->match == ALIGN_NONE) {
			*behind = (uint32_t)at;
			last = at;
		}
		at = same == ALIGN_NONE ? MAP_NONE : same;
	}
	if (last != MAP_NONE)
		map_set(map, hash, at != MAP_NONE ? at : last);
	return at == MAP_NONE ? ALIGN_NONE : (uint32_t)at;
}

static void
join(struct align *align, uint32_t in, uint32_t out, bool is_equal)
{
	align->in[in].match = out;
	align->out[out].match = in;
	align->in[in].is_equal = align->out[out].is_equal = is_equal;
}

/* Whether the record is the record of the input at its place: equal to it, or changed and equal to
 * no record of the input. */
static bool
is_in_place(const struct align *align, uint32_t i)
{
	const struct align_record *in = &align->in[i], *out = &align->out[i];

	if (hash_eq(in->value, out->value))
		return true;
	return in->role == out->role && in->has_kind == out->has_kind &&
	    in->has_id == out->has_id && (!in->has_id || hash_eq(in->id, out->id)) &&
	    map_get(&align->by_value, out->value) == MAP_NONE;
}

/* Matches all records by their places, where none was dropped, added or moved. */
static bool
match_places(struct align *align)
{
	if (align->in_count != align->out_count)
		return false;
	for (uint32_t i = 0; i < align->in_count; i++)
		if (!is_in_place(align, i))
			return false;
	for (uint32_t i = 0; i < align->in_count; i++)
		join(align, i, i, hash_eq(align->in[i].value, align->out[i].value));
	return true;
}

/* Matches records that are equal, or have the same id. */
static void
match_known(struct align *align)
{
	uint32_t bound = align->in_count;

	for (uint32_t i = align->out_count; i-- > 0;) {
		struct align_record *out = &align->out[i];
		uint32_t behind = ALIGN_NONE;
		uint32_t found = take(align, &align->by_value, out->value, bound, &behind);
		bool is_equal = found != ALIGN_NONE || behind != ALIGN_NONE;

		if (!is_equal && out->has_id)
			found = take(align, &align->by_id, out->id, bound, &behind);
		out->is_moved = found == ALIGN_NONE && behind != ALIGN_NONE;
		if (out->is_moved)
			join(align, behind, i, is_equal);
		if (found == ALIGN_NONE)
			continue;
		join(align, found, i, is_equal);
		bound = found;
	}
}

/* For each record of the output, the match of the nearest one before it that has one; the greatest
 * number, which is one less than the first, where there is none. */
static uint32_t *
find_floors(const struct align *align)
{
	uint32_t *floor = mem_alloc((size_t)align->out_count + 1, sizeof *floor);
	uint32_t last = ALIGN_NONE;

	for (uint32_t i = 0; i < align->out_count; i++) {
		floor[i] = last;
		if (align->out[i].match != ALIGN_NONE && !align->out[i].is_moved)
			last = align->out[i].match;
	}
	return floor;
}

/* Matches the rest by role, between the neighbours. */
static void
match_roles(struct align *align)
{
	uint32_t *floor = find_floors(align), at = align->in_count;

	for (uint32_t i = align->out_count; i-- > 0;) {
		const struct align_record *out = &align->out[i];

		if (out->match != ALIGN_NONE && !out->is_moved)
			at = out->match;
		if (out->match != ALIGN_NONE || out->has_kind)
			continue;
		while (at != floor[i] + 1 &&
		    (align->in[at - 1].match != ALIGN_NONE || align->in[at - 1].role != out->role))
			at--;
		if (at != floor[i] + 1)
			join(align, --at, i, false);
	}
	free(floor);
}

void
align_run(struct align_record *in, uint32_t in_count, struct align_record *out, uint32_t out_count)
{
	struct align align = {.in = in, .out = out, .in_count = in_count, .out_count = out_count};

	read_records(in, in_count);
	read_records(out, out_count);
	chain(&align);
	if (!match_places(&align)) {
		match_known(&align);
		match_roles(&align);
	}
	map_free(&align.by_value);
	map_free(&align.by_id);
}
