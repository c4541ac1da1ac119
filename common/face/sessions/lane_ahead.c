#include "face/sessions/lane_ahead.h"

#include "data/session/session_key.h"

enum { KEY_MAX = 128 }; /* bytes of a key that is guessed */

/* The string that ends before that offset of the line; or nothing. */
static struct str
find_before(struct str line, size_t end)
{
	if (end < 2 || end > line.len || line.ptr[end - 1] != '"')
		return STR("");
	for (size_t start = end - 2; start > 0 && end - start < KEY_MAX; start--) {
		if (line.ptr[start] == '\\')
			break;
		if (line.ptr[start] == '"')
			return str_of(line.ptr + start, end - start);
	}
	return STR("");
}

/* The string that begins at that offset of the line; or nothing. */
static struct str
find_after(struct str line, size_t start)
{
	if (start >= line.len || line.ptr[start] != '"')
		return STR("");
	for (size_t end = start + 1; end < line.len && end - start < KEY_MAX; end++) {
		if (line.ptr[end] == '\\')
			break;
		if (line.ptr[end] == '"')
			return str_of(line.ptr + start, end + 1 - start);
	}
	return STR("");
}

/* The string in the next line that is as far from the start of the line as the key in its line, or
 * from the end; or nothing. */
static struct str
find(struct str line, struct json_value key, struct str next)
{
	size_t before = (size_t)(key.ptr - line.ptr), behind = line.len - before - key.len;

	if (before < behind)
		return find_after(next, before);
	return behind < next.len ? find_before(next, next.len - behind) : STR("");
}

void
lane_ahead_guess(struct lane_ahead *ahead, const struct lanes *lanes, const struct map *by_key,
    struct str line, struct json_value key)
{
	const struct input *in = &lanes->run->source.in;
	const char *end = line.ptr + line.len, *lf = NULL;
	bool is_last;
	struct str rest = input_at_hand(in, &is_last);

	*ahead = (struct lane_ahead){.bytes = in->bytes};
	if (key.type != JSON_STRING || key.ptr < line.ptr || key.ptr >= end || rest.ptr != end)
		return;
	if (rest.len > 0)
		lf = memchr(rest.ptr, '\n', rest.len);
	if (lf != NULL)
		ahead->key = find(line, key, str_of(end, (size_t)(lf + 1 - end)));
	if (ahead->key.len == 0)
		return;
	ahead->hash = session_key_hash(
	    (struct json_value){
		.type = JSON_STRING, .ptr = ahead->key.ptr, .len = (uint32_t)ahead->key.len},
	    NULL);
	map_prefetch(by_key, ahead->hash);
}

void
lane_ahead_fetch(struct lane_ahead *ahead, const struct lanes *lanes, const struct map *by_key)
{
	uint64_t found = ahead->key.len > 0 ? map_get(by_key, ahead->hash) : MAP_NONE;

	if (found == MAP_NONE)
		return;
	ahead->lane = (struct lane *)(uintptr_t)found;
	lane_fetch(lanes, ahead->lane);
}

struct lane *
lane_ahead_find(const struct lane_ahead *ahead, const struct lanes *lanes, struct json_value key)
{
	bool is_guessed = ahead->key.ptr == key.ptr && ahead->key.len == key.len &&
	    ahead->bytes == lanes->run->source.in.bytes;

	return is_guessed ? ahead->lane : NULL;
}
