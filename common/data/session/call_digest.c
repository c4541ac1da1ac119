#include "data/session/call_digest.h"

#include <endian.h>

#include "base/hash/hash.h"
#include "json/canon.h"

void
call_digest_text(const struct tool_arguments *arguments, struct buf *text, struct arena *scratch)
{
	if (arguments->value.type == JSON_ABSENT)
		buf_add_str(text, json_span(arguments->given));
	else
		json_canon(arguments->value, text, scratch);
}

void
call_digest_write(struct str name, struct str text, struct buf *buf)
{
	struct hash hash = hash_lasting(text, hash_lasting(name, (struct hash){0, 0}));
	uint64_t digest[2] = {htobe64(hash.a), htobe64(hash.b)};

	buf_add_hex(buf, (const uint8_t *)digest, sizeof digest);
}

void
call_digest_of(struct str name, struct json_value arguments, struct buf *buf)
{
	struct arena scratch = ARENA_INIT;
	struct tool_arguments read;
	struct buf text = BUF_INIT;

	tool_arguments(arguments, &scratch, &read);
	call_digest_text(&read, &text, &scratch);
	call_digest_write(name, buf_str(&text), buf);
	buf_free(&text);
	arena_free(&scratch);
}

static bool
is_digest(struct json_value value)
{
	return value.type == JSON_STRING && json_inner(value).len == CALL_DIGEST_LEN &&
	    str_is_hex(json_inner(value));
}

struct str
call_digest_noted(const struct message *message, uint32_t index)
{
	struct json_value keys = message->meta[METADATA_CALL_KEYS];

	for (struct json_walk walk = json_walk_list(keys); json_walk_next(&walk);)
		if (index-- == 0)
			return is_digest(walk.value) ? json_inner(walk.value) : STR("");
	return STR("");
}
