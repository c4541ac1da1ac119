#include "data/tombstone.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/mem.h"
#include "data/message/content.h"
#include "data/queue.h"

/* A record of this many bytes or more is held with its message, which has about 750 bytes. A
 * shorter record is quickly read again. */
enum { KEPT_LEAST = 256 };

/* The records from the first message with an id on. */
struct tombstone_held {
	struct queue queue;
	struct arena arena; /* of the messages that are held with their records */
	bool has_any;       /* a message forgets others */
};

struct tombstone_item {
	struct queue_item held;
	uint64_t older; /* of a message with an id: the one before it of the same id, or MAP_NONE */
};

/* What is found when the stream has ended, and there is a tombstone. */
struct search {
	struct queue *queue;
	struct walk walk;
	struct map by_id; /* id -> the newest message of that id */
};

/* Takes out all messages that came with the id. */
static void
forget(struct search *search, struct json_value id)
{
	struct tombstone_item *item;
	struct hash key;

	if (id.type != JSON_STRING)
		return;
	key = record_id_hash(id);
	for (uint64_t i = map_get(&search->by_id, key); i != MAP_NONE; i = item->older) {
		item = queue_at(search->queue, i);
		queue_decide(search->queue, i, FATE_GONE);
	}
	map_remove(&search->by_id, key);
}

static bool
is_tombstone(const struct message *message)
{
	return message->meta[METADATA_FORGETS].type > JSON_NULL;
}

/* Whether the message does nothing but forget. A result answers its call, blank or not. */
static bool
is_blank_tombstone(const struct message *message)
{
	return is_tombstone(message) && message->role != ROLE_TOOL && !message_has_calls(message) &&
	    message_is_blank(message);
}

static void
look_at(struct search *search, size_t number)
{
	struct tombstone_item *item = queue_at(search->queue, number);
	struct record record = item->held.record; /* not held with the message that is read here */
	struct message read;
	const struct message *message = record_message(&record, &read);
	struct json_value id = message->meta[METADATA_ID];
	struct json_value forgets = message->meta[METADATA_FORGETS];
	struct verdict verdict;

	walk_add(&search->walk, message, &verdict);
	queue_join(search->queue, number, &search->walk, &verdict);
	forget(search, forgets);
	for (struct json_walk walk = json_walk_list(forgets); json_walk_next(&walk);)
		forget(search, walk.value);
	if (is_blank_tombstone(message))
		queue_decide(search->queue, number, FATE_GONE);
	/* A result whose call is not held must stay with the call. */
	if (id.type == JSON_STRING && (message->role != ROLE_TOOL || verdict.group != WALK_NONE))
		item->older = map_set(&search->by_id, record_id_hash(id), number);
}

static void
mark(struct record *record)
{
	record->kind = RECORD_FOREIGN;
	record->is_forgotten = true;
	record->message = NULL;
}

/* Keeps the message with the record, unless it is soon read again, or its bytes do not stay. */
static void
keep_message(struct tombstone_held *held, struct record *kept, const struct record *record)
{
	const struct message *message = record->message;
	struct message *copy;

	if (message == NULL || record->line.raw.len < KEPT_LEAST || record->edit != NULL ||
	    record->block == NULL || record->is_scattered)
		return;
	copy = arena_alloc(&held->arena, sizeof *copy);
	*copy = *message;
	kept->message = copy;
}

static void
hold(struct tombstone_held *held, const struct record *record, const struct message *message)
{
	struct tombstone_item *item = queue_add(&held->queue, record, FATE_FINAL);

	item->older = MAP_NONE;
	if (message == NULL)
		return;
	held->has_any |= is_tombstone(message);
	keep_message(held, &item->held.record, record);
}

static void
take(struct stage *stage, struct record *record)
{
	struct tombstone *tombstone = (struct tombstone *)stage;
	const struct message *message = NULL;
	struct message read;

	if (record->kind == RECORD_MESSAGE)
		message = record_message(record, &read);
	if (tombstone->held == NULL && message != NULL &&
	    message->meta[METADATA_ID].type == JSON_STRING) {
		tombstone->held = mem_alloc(1, sizeof *tombstone->held);
		*tombstone->held = (struct tombstone_held){
		    .queue = QUEUE_OF(struct tombstone_item), .arena = ARENA_INIT};
	}
	if (tombstone->held != NULL) {
		hold(tombstone->held, record, message);
	} else if (message == NULL || !is_blank_tombstone(message)) {
		stage_emit(stage, record);
	} else if (tombstone->marks) {
		mark(record);
		stage_emit(stage, record);
	}
}

static void
end(struct stage *stage)
{
	struct tombstone *tombstone = (struct tombstone *)stage;
	struct tombstone_held *held = tombstone->held;

	if (held == NULL)
		return;
	if (held->has_any) {
		struct search search = {.queue = &held->queue};

		walk_init(&search.walk);
		for (size_t i = held->queue.first; i < held->queue.end; i++)
			if (queue_record(&held->queue, i)->kind == RECORD_MESSAGE)
				look_at(&search, i);
		walk_free(&search.walk);
		map_free(&search.by_id);
	}
	if (held->has_any && tombstone->marks) {
		for (size_t i = held->queue.first; i < held->queue.end; i++)
			if (queue_fate(&held->queue, i) == FATE_GONE)
				mark(queue_record(&held->queue, i));
		/* Only now: others may share the fate. */
		for (size_t i = held->queue.first; i < held->queue.end; i++)
			if (queue_record(&held->queue, i)->is_forgotten)
				queue_decide(&held->queue, i, FATE_FINAL);
	}
	queue_emit(&held->queue, stage);
}

void
tombstone_settle(struct tombstone *tombstone)
{
	end(&tombstone->stage);
	tombstone_free(tombstone);
}

void
tombstone_init(struct tombstone *tombstone, bool marks)
{
	*tombstone = (struct tombstone){.stage = {.take = take, .end = end}, .marks = marks};
}

void
tombstone_free(struct tombstone *tombstone)
{
	struct tombstone_held *held = tombstone->held;

	if (held == NULL)
		return;
	queue_free(&held->queue);
	arena_free(&held->arena);
	free(held);
	tombstone->held = NULL;
}
