#include "policy/normalize/message_ids.h"

#include "data/message/source_record.h"

static struct hash
plain_key(struct message_ids *ids, struct json_value id)
{
	return hash_bytes(
	    call_id_text(id, &ids->scratch), hash_number(id.type, hash_seed(HASH_MESSAGE_ID)));
}

/* The key of an id. After a tombstone that names the id, the key is another one. */
static struct hash
id_key(struct message_ids *ids, struct json_value id)
{
	struct hash key = plain_key(ids, id);
	uint64_t times = map_get(&ids->forgotten, key);

	return times == MAP_NONE ? key : hash_number(times, key);
}

/* Sets own to the id old, which has that key, with a number. */
static void
name_anew(struct message_ids *ids, struct json_value old, struct hash key, struct buf *own)
{
	struct hash last = hash_bytes(STR(""), key); /* the key of the last number */
	uint64_t number = map_get(&ids->keys, last);

	if (number == MAP_NONE)
		number = 1;
	do {
		buf_reset(own);
		buf_add_char(own, '"');
		buf_add_str(own, old.type == JSON_STRING ? json_inner(old) : json_span(old));
		buf_add_fmt(own, "-%ju\"", (uintmax_t)++number);
		buf_pad(own);
	} while (map_get(&ids->keys, id_key(ids, json_value_at(own->ptr))) != MAP_NONE);
	map_set(&ids->keys, last, number);
	map_set(&ids->keys, id_key(ids, json_value_at(own->ptr)), 1);
}

/* The hash of the message, without regard to the line of a file from which it was made. */
static struct hash
hash_said(const struct message *message, struct str text, struct hash seed)
{
	struct json_value source = message->meta[METADATA_SOURCE];
	size_t at = (size_t)(source.ptr - text.ptr);

	if (!source_record_is_line(source))
		return hash_bytes(text, seed);
	seed = hash_bytes(str_of(text.ptr, at), seed);
	return hash_bytes(str_rest(text, at + source.len), seed);
}

enum message_id
message_ids_add(
    struct message_ids *ids, const struct message *message, struct str text, struct buf *own)
{
	struct json_value id = message->meta[METADATA_ID];
	struct hash key, said;
	uint64_t first;

	if ((id.type != JSON_STRING && id.type != JSON_NUMBER) ||
	    message_is(message, METADATA_PINNED))
		return MESSAGE_ID_NEW;
	key = id_key(ids, id);
	map_prefetch(&ids->keys, key);
	said = hash_said(message, text, key);
	first = map_get(&ids->keys, key);
	if (first == MAP_NONE) {
		map_set(&ids->keys, key, said.a & ~UINT64_C(1));
		return MESSAGE_ID_NEW;
	}
	if (first == (said.a & ~UINT64_C(1)) || map_set(&ids->keys, said, 1) != MAP_NONE)
		return MESSAGE_ID_REPEATED;
	name_anew(ids, id, key, own);
	return MESSAGE_ID_TAKEN;
}

void
message_ids_forget(struct message_ids *ids, struct json_value id)
{
	struct hash key = plain_key(ids, id);
	uint64_t times = map_get(&ids->forgotten, key);

	map_set(&ids->forgotten, key, times == MAP_NONE ? 1 : times + 1);
}

void
message_ids_free(struct message_ids *ids)
{
	map_free(&ids->keys);
	map_free(&ids->forgotten);
	buf_free(&ids->scratch);
}
