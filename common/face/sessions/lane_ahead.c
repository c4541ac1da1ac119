#include "face/sessions/lane_ahead.h"

#include "data/session/session_key.h"

enum { KEY_MAX = 128 }; /* bytes of a key that is guessed */

/* The string that has one quote at that offset of the line, and the other one in the direction of
 * step, which is 1 or -1; or nothing. */
static struct str
find_string(struct str line, size_t quote, size_t step)
{
	if (quote >= line.len || line.ptr[quote] != '"')
		return STR("");
	for (size_t at = quote + step, len = 2; at < line.len && len <= KEY_MAX;
	     at += step, len++) {
		if (line.ptr[at] == '\\')
			break;
		if (line.ptr[at] == '"')
			return str_of(line.ptr + (step == 1 ? quote : at), len);
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
		return find_string(next, before, 1);
	return find_string(next, next.len - behind - 1, (size_t)-1);
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
