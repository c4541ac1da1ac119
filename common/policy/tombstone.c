#include "policy/tombstone.h"

#include <stdlib.h>

#include "base/list.h"
#include "json/text.h"

static struct hash
id_key(struct tombstone *tombstone, struct json_value id)
{
	return hash_bytes(json_text(id, &tombstone->scratch), hash_seed(HASH_MESSAGE_ID));
}

/* Takes out all messages that came with the id. */
static void
forget(struct tombstone *tombstone, struct json_value id)
{
	struct sieve *sieve = &tombstone->sieve;
	struct hash key;

	if (id.type != JSON_STRING)
		return;
	key = id_key(tombstone, id);
	for (uint64_t i = map_get(&tombstone->by_id, key); i != MAP_NONE; i = tombstone->older[i])
		sieve_mark(sieve, i);
	map_remove(&tombstone->by_id, key);
}

static void
forget_all(struct tombstone *tombstone, struct json_value forgets)
{
	struct json_walk walk;

	forget(tombstone, forgets);
	json_walk_open(&walk, forgets);
	while (json_walk_next(&walk))
		forget(tombstone, walk.value);
}

/* Notes the id of the newest item. */
static void
note(struct tombstone *tombstone, struct json_value id)
{
	size_t item = tombstone->count - 1;

	tombstone->older[item] = map_set(&tombstone->by_id, id_key(tombstone, id), item);
}

/* Whether the message does nothing but forget. */
static bool
is_blank_tombstone(const struct message *message)
{
	return message->meta[METADATA_FORGETS].type != JSON_ABSENT && !message_has_calls(message) &&
	    message_is_blank(message);
}

static void
hold(struct tombstone *tombstone, struct record *record)
{
	struct sieve *sieve = &tombstone->sieve;
	struct message read;
	struct verdict verdict;
	const struct message *message = sieve_add(sieve, record, &read, &verdict);

	LIST_ROOM(tombstone->older, tombstone->count, tombstone->cap);
	tombstone->older[tombstone->count++] = MAP_NONE;
	if (message == NULL)
		return;
	forget_all(tombstone, message->meta[METADATA_FORGETS]);
	if (is_blank_tombstone(message))
		sieve_mark(sieve, tombstone->count - 1);
	/* A result whose call is not held must stay with the call. */
	if (message->meta[METADATA_ID].type == JSON_STRING &&
	    (message->role != ROLE_TOOL || verdict.group != WALK_NONE))
		note(tombstone, message->meta[METADATA_ID]);
}

static void
take(struct stage *stage, struct record *record)
{
	struct tombstone *tombstone = (struct tombstone *)stage;
	const struct message *message;
	struct message read;

	if (!tombstone->holds && record->kind == RECORD_MESSAGE) {
		message = record_message(record, &read);
		tombstone->holds = message->meta[METADATA_ID].type == JSON_STRING;
		if (!tombstone->holds && is_blank_tombstone(message))
			return;
	}
	if (tombstone->holds)
		hold(tombstone, record);
	else
		stage_emit(stage, record);
}

static void
end(struct stage *stage)
{
	sieve_emit((struct sieve *)stage, false);
}

void
tombstone_init(struct tombstone *tombstone)
{
	*tombstone = (struct tombstone){.holds = false};
	sieve_init(&tombstone->sieve, take, end);
}

void
tombstone_free(struct tombstone *tombstone)
{
	sieve_free(&tombstone->sieve);
	map_free(&tombstone->by_id);
	free(tombstone->older);
	buf_free(&tombstone->scratch);
}
