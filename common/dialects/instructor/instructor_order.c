#include "dialects/instructor/instructor_order.h"

#include <stdlib.h>

#include "base/hash/map.h"
#include "base/list.h"
#include "data/message/metadata.h"
#include "data/queue.h"
#include "data/walk.h"
#include "dialects/instructor/instructor_trace.h"
#include "json/string.h"
#include "json/write.h"

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
	struct queue queue;
};

struct order {
	struct dialect_stage base;
	struct section *section; /* in the order in which they came */
	uint32_t count;
	uint32_t cap;
	struct map by_name;
	struct instructor_order_section state;
	struct walk walk;
	uint32_t traced;     /* the newest execution with messages in the section of trace */
	uint32_t trace;      /* that section */
	size_t first_traced; /* the number of its first one there that names no place yet */
	struct buf id;       /* of that execution, JSON */
	/* trace of an earlier execution got its id, and is after everything else */
	bool is_behind;
	struct json_edit edit;
};

static struct section *
find_section(struct order *order, struct json_value name)
{
	struct hash seed = hash_seed(HASH_LABEL);
	struct hash key =
	    name.type == JSON_STRING ? json_hash(name, seed) : hash_bytes(STR("messages"), seed);
	uint64_t index = map_get(&order->by_name, key);

	if (index == MAP_NONE) {
		LIST_ROOM(order->section, order->count, order->cap);
		index = order->count++;
		map_set(&order->by_name, key, index);
		order->section[index] =
		    (struct section){instructor_order_rank(name), QUEUE_OF(struct queue_item)};
	}
	return &order->section[index];
}

static void
begin(struct order *order)
{
	walk_init(&order->walk);
	order->traced = WALK_NONE;
	order->is_behind = false;
}

static void
clear(struct order *order)
{
	walk_free(&order->walk);
	for (uint32_t i = 0; i < order->count; i++)
		queue_free(&order->section[i].queue);
	order->count = 0;
	map_free(&order->by_name);
	buf_reset(&order->state.of_calls);
}

/* Adds to the edit that the message gets the id of the traced execution, unless it has one. */
static bool
set_id(struct order *order, struct record *record, const struct message *message)
{
	struct metadata_member member = {METADATA_EXECUTION_ID, buf_str(&order->id)};

	json_edit_reset(&order->edit, record->line.text);
	if (message->meta[METADATA_EXECUTION_ID].type != JSON_ABSENT ||
	    !metadata_set(&order->edit, message, &member, 1))
		return false;
	record->edit = &order->edit;
	return true;
}

/* Gives the id to the trace that has no id yet. Returns whether there was some. */
static bool
set_ids(struct order *order)
{
	struct queue *queue = &order->section[order->trace].queue;
	struct message read;
	struct record held;
	bool is_set = false;

	for (; order->first_traced < queue->end; order->first_traced++) {
		struct record *trace = queue_record(queue, order->first_traced);

		message_parse(&read, trace->line.text);
		if (!set_id(order, trace, &read))
			continue;
		record_hold(&held, trace);
		record_release(trace);
		*trace = held;
		is_set = true;
	}
	return is_set;
}

/* Trace moves from its place. So trace, and the answer that followed it, get the id of their
 * execution: a reader finds the place only by that id, and by it distinguishes the trace of an
 * execution without an answer from later trace. section is the section of the record's message. */
static void
keep_place(struct order *order, struct section *section, struct record *record)
{
	struct verdict verdict;

	walk_add(&order->walk, record->message, &verdict);
	if (verdict.outside || verdict.nested != 0)
		return;
	if (order->traced != WALK_NONE && order->traced != verdict.execution)
		order->is_behind |= set_ids(order);
	if (section->rank == INSTRUCTOR_RANK_TRACE && order->traced != verdict.execution) {
		order->traced = verdict.execution;
		order->trace = (uint32_t)(section - order->section);
		order->first_traced = section->queue.end;
		buf_reset(&order->id);
		json_write_string(&order->id, walk_execution_id(&order->walk));
	}
	if (verdict.is_answer && order->traced == verdict.execution) {
		set_ids(order);
		set_id(order, record, record->message);
	}
}

/* Records that are no messages have no place among the sections, and go on at once. */
static void
take(struct stage *stage, struct record *record)
{
	struct order *order = (struct order *)stage;
	struct section *section;
	struct message read;

	if (record->kind != RECORD_MESSAGE) {
		stage_emit(stage, record);
		return;
	}
	section = find_section(
	    order, instructor_order_section(&order->state, record_message(record, &read)));
	keep_place(order, section, record);
	queue_add(&section->queue, record, FATE_FINAL);
}

/* The section of that rank, of which there is at most one, if it has messages; or NULL. */
static struct queue *
find_ranked(const struct order *order, unsigned rank)
{
	struct section *section = order->section;

	for (uint32_t i = 0; i < order->count; i++, section++)
		if (section->rank == rank)
			return &section->queue;
	return NULL;
}

/* Emits the conversation, with the trace at the places where a reader puts it. The rest of the
 * trace comes after it, as a section of its own. */
static void
emit_talk(struct order *order, struct queue *talk, struct queue *buffer)
{
	struct instructor_trace trace = INSTRUCTOR_TRACE_INIT;
	struct message message;

	for (size_t i = talk->first; i < talk->end; i++) {
		message_parse(&message, queue_record(talk, i)->line.text);
		instructor_trace_add_said(&trace, &message);
	}
	for (size_t i = buffer->first; i < buffer->end; i++) {
		message_parse(&message, queue_record(buffer, i)->line.text);
		instructor_trace_add(&trace, &message);
	}
	instructor_trace_settle(&trace);
	for (uint32_t index = 0; !queue_is_empty(talk); index++) {
		while (instructor_trace_next(&trace, index))
			queue_emit_first(buffer, &order->base.stage);
		queue_emit_first(talk, &order->base.stage);
	}
	instructor_trace_free(&trace);
}

static void
end(struct stage *stage)
{
	struct order *order = (struct order *)stage;
	struct queue *talk = find_ranked(order, INSTRUCTOR_RANK_MESSAGES);
	struct queue *buffer = find_ranked(order, INSTRUCTOR_RANK_TRACE);

	if (order->is_behind)
		set_ids(order);
	for (unsigned rank = 0; rank < INSTRUCTOR_RANKS; rank++) {
		if (rank == INSTRUCTOR_RANK_MESSAGES && talk != NULL && buffer != NULL)
			emit_talk(order, talk, buffer);
		for (uint32_t i = 0; i < order->count; i++)
			if (order->section[i].rank == rank)
				queue_emit(&order->section[i].queue, stage);
	}
	clear(order);
	begin(order);
}

static void
free_order(struct dialect_stage *base)
{
	struct order *order = (struct order *)base;

	clear(order);
	free(order->section);
	buf_free(&order->state.of_calls);
	json_edit_free(&order->edit);
	buf_free(&order->id);
	free(order);
}

struct dialect_stage *
instructor_order(void)
{
	struct order *order = mem_alloc(1, sizeof *order);

	*order = (struct order){.base = {.stage = {.take = take, .end = end}, .free = free_order},
	    .edit = JSON_EDIT_INIT};
	begin(order);
	return &order->base;
}
