#include "data/archive/archive.h"

#include "base/list.h"
#include "data/change.h"
#include "json/bytes.h"

struct str
archive_kind_name(enum archive_kind kind)
{
	static const struct str name[] = {
	    STR_INIT("record"), STR_INIT("list"), STR_INIT("pass"), STR_INIT("about")};

	return name[kind];
}

static struct archive_key
end_key(struct blake2b *state)
{
	struct archive_key key = {{0}};

	blake2b_end(state, key.byte);
	return key;
}

struct archive_key
archive_key_of(struct str text)
{
	struct blake2b state;

	blake2b_init(&state, ARCHIVE_KEY_BYTES);
	blake2b_add(&state, text);
	return end_key(&state);
}

void
archive_key_write(const struct archive_key *key, struct buf *buf)
{
	buf_add_hex(buf, key->byte, ARCHIVE_KEY_BYTES);
}

void
archive_key_put(struct json_writer *w, struct str name, const struct archive_key *key)
{
	struct buf hex = BUF_INIT;

	archive_key_write(key, &hex);
	json_member_string(w, name, buf_str(&hex));
	buf_free(&hex);
}

bool
archive_key_read(struct str text, struct archive_key *key)
{
	if (text.len != ARCHIVE_KEY_DIGITS || !str_is_hex(text))
		return false;
	for (size_t i = 0; i < ARCHIVE_KEY_BYTES; i++)
		key->byte[i] = (uint8_t)(json_byte_hex(text.ptr[2 * i]) << 4 |
		    json_byte_hex(text.ptr[2 * i + 1]));
	return true;
}

bool
archive_key_of_message(const struct message *message, struct archive_key *key)
{
	struct json_value archived = message->meta[METADATA_ARCHIVED];

	return message->kind == RECORD_MESSAGE && message->metadata.type == JSON_OBJECT &&
	    archived.type == JSON_STRING && archive_key_read(json_inner(archived), key);
}

bool
archive_may_begin(struct str head)
{
	if (head.len > ARCHIVE_ENTRY.len)
		head.len = ARCHIVE_ENTRY.len;
	return str_has_prefix(ARCHIVE_ENTRY, head);
}

struct hash
archive_key_hash(const struct archive_key *key)
{
	return hash_bytes(
	    str_of((const char *)key->byte, ARCHIVE_KEY_BYTES), hash_seed(HASH_ARCHIVE));
}

struct archive_key
archive_line_key(const struct session *t, uint32_t entry)
{
	struct blake2b state;

	blake2b_init(&state, ARCHIVE_KEY_BYTES);
	do
		blake2b_add(&state, entry_text(&t->entry[entry++]));
	while (entry < t->count && t->entry[entry].is_continued);
	return end_key(&state);
}

struct str
archive_line_end(const struct session *t, uint32_t entry)
{
	const struct entry *last = &t->entry[entry];

	while (entry + 1 < t->count && t->entry[entry + 1].is_continued)
		last = &t->entry[++entry];
	return str_of(last->raw + last->len - last->after, last->after);
}

/* The key is kept, since policies that try several texts ask for the same key. */
struct archive_key
archive_original_key(struct session *t, uint32_t index)
{
	struct entry entry = change_original(t, index);
	struct archive_key key;

	if (t->keyed != entry.raw) {
		key = archive_key_of(entry_text(&entry));
		memcpy(t->key, key.byte, ARCHIVE_KEY_BYTES);
		t->keyed = entry.raw;
	}
	memcpy(key.byte, t->key, ARCHIVE_KEY_BYTES);
	return key;
}

void
archive_chain_init(struct archive_chain *chain)
{
	*chain = (struct archive_chain){.has_lines = false};
	blake2b_init(&chain->state, ARCHIVE_KEY_BYTES);
}

void
archive_chain_add(struct archive_chain *chain, const struct archive_key *key, struct str end)
{
	if (!chain->has_lines)
		archive_chain_init(chain);
	chain->has_lines = true;
	if (chain->is_crlf)
		blake2b_add(&chain->state, STR("\r\n"));
	chain->is_crlf = str_has_prefix(end, STR("\r"));
	blake2b_add(&chain->state, str_of((const char *)key->byte, ARCHIVE_KEY_BYTES));
}

bool
archive_chain_add_budget(struct archive_chain *chain, const struct archive_key *key)
{
	if (!chain->has_lines)
		blake2b_add(&chain->state, str_of((const char *)key->byte, ARCHIVE_KEY_BYTES));
	return !chain->has_lines;
}

struct archive_key
archive_chain_key(const struct archive_chain *chain)
{
	struct blake2b state = chain->state;

	return end_key(&state);
}

void
archive_list_add(struct archive_list *list, const struct archive_key *key)
{
	size_t start = list->text.len;

	if (start == 0)
		blake2b_init(&list->state, ARCHIVE_KEY_BYTES);
	buf_add_str(&list->text, start == 0 ? STR("[\"") : STR(",\""));
	archive_key_write(key, &list->text);
	buf_add_char(&list->text, '"');
	blake2b_add(&list->state, str_of(list->text.ptr + start, list->text.len - start));
}

struct archive_key
archive_list_key(const struct archive_list *list)
{
	struct blake2b state = list->state;

	blake2b_add(&state, STR("]"));
	return end_key(&state);
}

void
archive_list_put(const struct archive_list *list, struct session *t)
{
	char *text = arena_alloc(&t->arena, list->text.len + 1);

	memcpy(text, list->text.ptr, list->text.len);
	text[list->text.len] = ']';
	LIST_ADD(t->list, t->list_count, t->list_cap, str_of(text, list->text.len + 1));
}

void
archive_list_free(struct archive_list *list)
{
	buf_free(&list->text);
}
