#include "dialects/instructor/instructor_order.h"

#include <stdlib.h>

#include "base/hash/hash.h"
#include "base/list.h"
#include "dialects/instructor/instructor_context.h"
#include "json/string.h"

unsigned
instructor_order_rank(struct json_value name)
{
	static const struct str ranks[INSTRUCTOR_RANKS] = {STR_INIT("summary"),
	    STR_INIT("buffer"), [INSTRUCTOR_RANK_MESSAGES] = STR_INIT("messages"),
	    [INSTRUCTOR_RANK_TRACE] = STR_INIT("execution_buffer")};

	if (name.type == JSON_ABSENT)
		return INSTRUCTOR_RANK_MESSAGES;
	for (unsigned rank = 0; rank < INSTRUCTOR_RANKS; rank++)
		if (rank != INSTRUCTOR_RANK_OTHERS && json_is(name, ranks[rank]))
			return rank;
	return INSTRUCTOR_RANK_OTHERS;
}

struct json_value
instructor_order_section(struct instructor_order_section *state, const struct message *message)
{
	bool is_said = json_find(message->metadata, STR("section")).type == JSON_STRING;
	struct json_value section = message->meta[METADATA_SECTION];

	if (section.type != JSON_STRING)
		section.type = JSON_ABSENT;
	if (message->role == ROLE_TOOL && !is_said && state->of_calls.len > 0)
		return json_value_at(state->of_calls.ptr);
	if (!message_has_calls(message))
		return section;
	buf_reset(&state->of_calls);
	if (section.type == JSON_STRING)
		buf_add_str(&state->of_calls, json_span(section));
	buf_pad(&state->of_calls);
	return section;
}

struct section {
	unsigned rank;
	struct record *record;
	uint32_t count;
	uint32_t cap;
};

struct order {
	struct dialect_stage base;
	struct section *section; /* in the order in which they came */
	uint32_t count;
	uint32_t cap;
	struct map by_name;
	struct instructor_order_section state;
	struct buf scratch;
};

static struct section *
find_section(struct order *order, struct json_value name)
{
	struct str text =
	    name.type == JSON_STRING ? json_text(name, &order->scratch) : STR("messages");
	struct hash key = hash_bytes(text, hash_seed(HASH_LABEL));
	uint64_t index = map_get(&order->by_name, key);

	if (index == MAP_NONE) {
		LIST_ROOM(order->section, order->count, order->cap);
		index = order->count++;
		map_set(&order->by_name, key, index);
		order->section[index] = (struct section){.rank = instructor_order_rank(name)};
	}
	return &order->section[index];
}

static void
emit_section(struct order *order, struct section *section)
{
	for (uint32_t i = 0; i < section->count; i++)
		stage_emit_held(&order->base.stage, &section->record[i]);
}

static void
clear(struct order *order)
{
	for (uint32_t i = 0; i < order->count; i++) {
		for (uint32_t n = 0; n < order->section[i].count; n++)
			record_release(&order->section[i].record[n]);
		free(order->section[i].record);
	}
	order->count = 0;
	map_free(&order->by_name);
	order->by_name = (struct map)MAP_INIT;
	buf_reset(&order->state.of_calls);
}

static void
flush(struct order *order)
{
	for (unsigned rank = 0; rank < INSTRUCTOR_RANKS; rank++)
		for (uint32_t i = 0; i < order->count; i++)
			if (order->section[i].rank == rank)
				emit_section(order, &order->section[i]);
	clear(order);
}

/* Records that are no messages have no place among the sections, and go on at once. */
static void
take(struct stage *stage, struct record *record)
{
	struct order *order = (struct order *)stage;
	struct section *section;
	struct message read;

	if (record->kind == RECORD_CONTEXT &&
	    instructor_context_begins(record_message(record, &read)->value))
		flush(order);
	if (record->kind != RECORD_MESSAGE) {
		stage_emit(stage, record);
		return;
	}
	section = find_section(
	    order, instructor_order_section(&order->state, record_message(record, &read)));
	LIST_ROOM(section->record, section->count, section->cap);
	record_hold(&section->record[section->count], record);
	section->count++;
}

static void
end(struct stage *stage)
{
	flush((struct order *)stage);
}

static void
free_order(struct dialect_stage *base)
{
	struct order *order = (struct order *)base;

	clear(order);
	free(order->section);
	buf_free(&order->state.of_calls);
	buf_free(&order->scratch);
	free(order);
}

struct dialect_stage *
instructor_order(void)
{
	struct order *order = mem_alloc(1, sizeof *order);

	*order = (struct order){.base = {.stage = {.take = take, .end = end}, .free = free_order}};
	return &order->base;
}
