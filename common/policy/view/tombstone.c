#include "policy/view/tombstone.h"

#include <stdlib.h>

#include "base/list.h"
#include "json/string.h"

/* The messages from the first one with an id on. */
struct tombstone_held {
	struct sieve sieve;
	struct map by_id; /* id -> the newest item of that id */
	uint64_t *older;  /* for each item the one before it of the same id, or MAP_NONE */
	size_t count, cap;
	struct buf scratch;
};

static struct hash
id_key(struct tombstone_held *held, struct json_value id)
{
	return hash_bytes(json_text(id, &held->scratch), hash_seed(HASH_MESSAGE_ID));
}

/* Takes out all messages that came with the id. */
static void
forget(struct tombstone_held *held, struct json_value id)
{
	struct sieve *sieve = &held->sieve;
	struct hash key;

	if (id.type != JSON_STRING)
		return;
	key = id_key(held, id);
	for (uint64_t i = map_get(&held->by_id, key); i != MAP_NONE; i = held->older[i])
		sieve_mark(sieve, i);
	map_remove(&held->by_id, key);
}

static void
forget_all(struct tombstone_held *held, struct json_value forgets)
{
	struct json_walk walk;

	forget(held, forgets);
	json_walk_open(&walk, forgets);
	while (json_walk_next(&walk))
		forget(held, walk.value);
}

/* Notes the id of the newest item. */
static void
note(struct tombstone_held *held, struct json_value id)
{
	size_t item = held->count - 1;

	held->older[item] = map_set(&held->by_id, id_key(held, id), item);
}

/* Whether the message does nothing but forget. */
static bool
is_blank_tombstone(const struct message *message)
{
	return message->meta[METADATA_FORGETS].type != JSON_ABSENT && !message_has_calls(message) &&
	    message_is_blank(message);
}

static void
hold(struct tombstone_held *held, struct record *record)
{
	struct sieve *sieve = &held->sieve;
	struct message read;
	struct verdict verdict;
	const struct message *message = sieve_add(sieve, record, &read, &verdict);

	LIST_ROOM(held->older, held->count, held->cap);
	held->older[held->count++] = MAP_NONE;
	if (message == NULL)
		return;
	forget_all(held, message->meta[METADATA_FORGETS]);
	if (is_blank_tombstone(message))
		sieve_mark(sieve, held->count - 1);
	/* A result whose call is not held must stay with the call. */
	if (message->meta[METADATA_ID].type == JSON_STRING &&
	    (message->role != ROLE_TOOL || verdict.group != WALK_NONE))
		note(held, message->meta[METADATA_ID]);
}

/* Begins to hold: the sieve stands in the place of the stage. */
static struct tombstone_held *
begin(const struct tombstone *tombstone)
{
	struct tombstone_held *held = mem_alloc(1, sizeof *held);

	*held = (struct tombstone_held){.count = 0};
	sieve_init(&held->sieve, NULL, NULL);
	held->sieve.stage = tombstone->stage;
	return held;
}

static void
take(struct stage *stage, struct record *record)
{
	struct tombstone *tombstone = (struct tombstone *)stage;
	const struct message *message;
	struct message read;

	if (tombstone->held == NULL && record->kind == RECORD_MESSAGE) {
		message = record_message(record, &read);
		if (message->meta[METADATA_ID].type == JSON_STRING)
			tombstone->held = begin(tombstone);
		else if (is_blank_tombstone(message))
			return;
	}
	if (tombstone->held != NULL)
		hold(tombstone->held, record);
	else
		stage_emit(stage, record);
}

static void
end(struct stage *stage)
{
	struct tombstone *tombstone = (struct tombstone *)stage;

	if (tombstone->held != NULL)
		sieve_emit(&tombstone->held->sieve, false);
}

void
tombstone_init(struct tombstone *tombstone)
{
	*tombstone = (struct tombstone){.stage = {.take = take, .end = end}};
}

void
tombstone_free(struct tombstone *tombstone)
{
	struct tombstone_held *held = tombstone->held;

	if (held == NULL)
		return;
	sieve_free(&held->sieve);
	map_free(&held->by_id);
	free(held->older);
	buf_free(&held->scratch);
	free(held);
}
