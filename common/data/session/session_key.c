#include "data/session/session_key.h"

#include "json/string.h"
#include "json/members.h"
#include "json/write.h"

bool
session_key_parse(struct session_key *key, const char *path)
{
	*key = (struct session_key){.depth = 0};
	for (;;) {
		size_t len = strcspn(path, ".");

		if (len == 0 || key->depth == SESSION_KEY_DEPTH)
			return false;
		key->name[key->depth++] = str_of(path, len);
		if (path[len] == '\0')
			break;
		path += len + 1;
	}
	key->is_metadata = key->depth > 1 && str_eq(key->name[0], STR("metadata"));
	key->is_session_id = key->is_metadata && key->depth == 2 &&
	    str_eq(key->name[1], metadata_name_text(METADATA_SESSION_ID));
	return true;
}

/* The object that the first names of the path lead to; sets *next to the index of the name after
 * them. */
static struct json_value
open_path(const struct session_key *key, const struct message *message, unsigned *next)
{
	bool is_met = key->is_metadata && message->kind == RECORD_MESSAGE &&
	    message->metadata.type == JSON_OBJECT;

	*next = is_met;
	return is_met ? message->metadata : message->value;
}

struct json_value
session_key_find(const struct session_key *key, const struct message *message)
{
	struct json_value value;
	unsigned next;

	if (message->kind == RECORD_BAD || message->kind == RECORD_BLANK)
		return json_absent;
	if (key->is_session_id && message->kind == RECORD_MESSAGE) {
		value = message->meta[METADATA_SESSION_ID];
	} else {
		value = open_path(key, message, &next);
		while (next < key->depth)
			value = json_find(value, key->name[next++]);
	}
	return value.type == JSON_NULL || value.type >= JSON_ARRAY ? json_absent : value;
}

struct hash
session_key_hash(struct json_value value, struct buf *scratch)
{
	struct hash seed = hash_number(value.type, hash_seed(HASH_SESSION));

	return hash_bytes(
	    value.type == JSON_STRING ? json_text(value, scratch) : json_span(value), seed);
}

bool
session_key_complete(const struct session_key_value *name, struct str text, struct buf *out)
{
	struct json_edit edit;
	struct message message;
	bool is_new;

	if (name->key == NULL || name->value.type == JSON_ABSENT)
		return false;
	message_reread(&message, text);
	json_edit_init(&edit, text);
	is_new = session_key_add(name->key, &message, json_span(name->value), &edit);
	if (is_new)
		json_edit_end(&edit, out);
	return is_new;
}

bool
session_key_add(const struct session_key *key, const struct message *message, struct str value,
    struct json_edit *edit)
{
	struct buf name = BUF_INIT, text = BUF_INIT;
	struct json_value object;
	struct json_writer w;
	unsigned next, first;

	object = open_path(key, message, &next);
	while (next < key->depth && json_has(object, key->name[next]))
		object = json_find(object, key->name[next++]);
	if (object.type != JSON_OBJECT || next == key->depth)
		return false;
	first = next;
	json_writer_init(&w, &text);
	while (++next < key->depth) {
		json_open(&w, '{');
		json_name(&w, key->name[next]);
	}
	json_put_raw(&w, value);
	while (w.depth > 0)
		json_close(&w);
	json_write_escaped(&name, key->name[first]);
	json_edit_add(edit, object, buf_str(&name), buf_str(&text));
	buf_free(&name);
	buf_free(&text);
	return true;
}
