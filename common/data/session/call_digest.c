#include "data/session/call_digest.h"

#include "base/arena.h"
#include "base/hash/blake2b.h"
#include "data/tool/tools.h"
#include "json/canon.h"

enum { BYTES = CALL_DIGEST_LEN / 2 };

void
call_digest_write(struct str name, struct json_value arguments, struct buf *buf)
{
	struct arena scratch = ARENA_INIT;
	struct buf canonical = BUF_INIT;
	struct tool_arguments read;
	struct blake2b state;
	uint8_t digest[BYTES];

	tool_arguments(arguments, &scratch, &read);
	if (read.value.type == JSON_ABSENT)
		buf_add_str(&canonical, json_span(arguments));
	else
		json_canon(read.value, &canonical, &scratch);
	blake2b_init(&state, BYTES);
	blake2b_add(&state, name);
	blake2b_add(&state, str_of("", 1));
	blake2b_add(&state, buf_str(&canonical));
	blake2b_end(&state, digest);
	buf_add_hex(buf, digest, BYTES);
	buf_free(&canonical);
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
