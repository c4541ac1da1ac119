#include "dialects/parts/call_ids.h"

#include "base/text/utf8.h"
#include "data/message/tool_call.h"
#include "dialects/parts/name.h"
#include "json/write.h"

enum { GIVEN_MAX = 4096 }; /* entries of given, dead ones included, before the map starts afresh */

/* The key of the n-th call or result with that id in the last message. n is 0 for the key of their
 * count. */
static struct hash
key_of(const struct call_ids *ids, struct str text, char kind, uint64_t n)
{
	struct hash seed = hash_number(ids->generation, hash_seed(HASH_CALL_ID));

	return hash_bytes(text, hash_number(n, hash_number((uint64_t)kind, seed)));
}

static uint64_t
count(struct call_ids *ids, struct str text, char kind)
{
	struct hash key = key_of(ids, text, kind, 0);
	uint64_t before = map_get(&ids->given, key);
	uint64_t now = before == MAP_NONE ? 1 : before + 1;

	map_set(&ids->given, key, now);
	return now;
}

void
call_ids_begin(struct call_ids *ids)
{
	ids->generation++;
	if (ids->given.count <= GIVEN_MAX)
		return;
	map_free(&ids->given);
	buf_reset(&ids->names);
	if (ids->rule == CALL_IDS_OPENAI)
		map_free(&ids->uses);
}

/* The key of the name that begins at start and ends names. Where messages may share an id, the
 * names of each message have keys of their own. */
static struct hash
name_key(const struct call_ids *ids, size_t start)
{
	struct hash seed = hash_seed(HASH_GIVEN_ID);

	if (ids->rule == CALL_IDS_OPENAI)
		seed = hash_number(ids->generation, seed);
	return hash_bytes(str_of(ids->names.ptr + start, ids->names.len - start), seed);
}

/* Cuts the name that begins at start to len bytes, on the boundary of a code point, if there is a
 * most. */
static void
cut_name(struct call_ids *ids, size_t start, size_t len)
{
	struct str name = str_of(ids->names.ptr + start, ids->names.len - start);

	if (ids->max > 0 && name.len > len)
		ids->names.len = start + utf8_floor(name, len);
}

/* Whether an id may have the first byte of text. */
static bool
is_taken(const struct call_ids *ids, struct str text, bool is_joined)
{
	if (ids->rule == CALL_IDS_OPENAI)
		return (unsigned char)*text.ptr >= ' ';
	return name_is_plain_char(*text.ptr) || (is_joined && str_has_prefix(text, STR("|fc_")));
}

/* Replaces the characters that the API does not take by _ in the name that begins at start. */
static void
mend_name(struct call_ids *ids, size_t start, bool is_joined)
{
	for (; start < ids->names.len; start++)
		if (!is_taken(ids, str_rest(buf_str(&ids->names), start), is_joined))
			ids->names.ptr[start] = '_';
}

/* Makes an unused name from text and appends it to names. Returns where the name starts. */
static size_t
add_name(struct call_ids *ids, struct str text)
{
	enum { NUMBER_MAX = 11 }; /* bytes of _4294967295 */
	size_t start = ids->names.len, end;
	struct hash key;
	uint64_t uses;

	buf_add_str(&ids->names, text.len > 0 ? text : STR("call"));
	mend_name(ids, start, ids->keeps_joined);
	cut_name(ids, start, ids->max);
	key = name_key(ids, start);
	uses = map_get(&ids->uses, key);
	if (uses == MAP_NONE) {
		map_set(&ids->uses, key, 1);
		return start;
	}
	mend_name(ids, start, false);
	cut_name(ids, start, ids->max - NUMBER_MAX);
	end = ids->names.len;
	do {
		ids->names.len = end;
		buf_add_fmt(
		    &ids->names, "%c%ju", ids->mark != '\0' ? ids->mark : '_', (uintmax_t)++uses);
	} while (map_get(&ids->uses, name_key(ids, start)) != MAP_NONE);
	map_set(&ids->uses, name_key(ids, start), 1);
	map_set(&ids->uses, key, uses);
	return start;
}

void
call_ids_call(struct call_ids *ids, struct json_value id, struct buf *to)
{
	struct str text = call_id_text(id, &ids->scratch);
	size_t start = add_name(ids, text);

	json_write_escaped(to, str_of(ids->names.ptr + start, ids->names.len - start));
	buf_add_char(&ids->names, '\0');
	map_set(&ids->given, key_of(ids, text, 'n', count(ids, text, 'c')), start);
}

bool
call_ids_result(struct call_ids *ids, struct json_value id, struct buf *to)
{
	struct str text = call_id_text(id, &ids->scratch);
	uint64_t start = map_get(&ids->given, key_of(ids, text, 'n', count(ids, text, 'r')));

	if (start == MAP_NONE)
		return false;
	json_write_escaped(to, str_from(ids->names.ptr + start));
	return true;
}

void
call_ids_free(struct call_ids *ids)
{
	map_free(&ids->uses);
	map_free(&ids->given);
	buf_free(&ids->names);
	buf_free(&ids->scratch);
}
