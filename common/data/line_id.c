#include "data/line_id.h"

#include "base/hash/blake2b.h"

static const struct str prefix = STR_INIT("\"line-");

void
line_id_write(struct str line, struct buf *id)
{
	uint8_t digest[LINE_ID_BYTES];
	struct blake2b state;

	blake2b_init(&state, sizeof digest);
	blake2b_add(&state, line);
	blake2b_end(&state, digest);
	buf_set(id, prefix);
	buf_add_hex(id, digest, sizeof digest);
	buf_add_char(id, '"');
}

void
line_id_number(struct buf *id, uint64_t times)
{
	id->len--;
	buf_add_fmt(id, "-%llu\"", (unsigned long long)times);
}

bool
line_id_is(struct json_value id)
{
	struct str text = json_span(id);
	size_t end = prefix.len + 2 * LINE_ID_BYTES;

	if (id.type != JSON_STRING || text.len <= end || !str_has_prefix(text, prefix))
		return false;
	return str_is_hex(str_of(text.ptr + prefix.len, 2 * LINE_ID_BYTES)) &&
	    (text.ptr[end] == '"' || text.ptr[end] == '-');
}
