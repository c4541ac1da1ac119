/*
 * Fuzzes the comparison of two values as a cache sees them: the first byte says what the values
 * are, and a line for each follows. A value is the same as itself, and as itself without white
 * space and with other escapes; both orders give one answer; and a difference lies in the texts.
 */

#include "json/canon.h"
#include "json/string.h"
#include "json/members.h"
#include "policy/diff/prefix.h"

#include "../unit/json_padded.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void
expect(bool is_so)
{
	if (!is_so)
		abort();
}

static bool
is_in(const char *at, struct json_value value)
{
	return at >= value.ptr && at <= value.ptr + value.len;
}

/* Whether the same bytes, where there is a difference, are not more than either text has. */
static void
check_shared(const struct prefix_difference *d)
{
	struct buf was_scratch = BUF_INIT, now_scratch = BUF_INIT;
	struct str was = json_text(d->was, &was_scratch), now = json_text(d->now, &now_scratch);

	expect(d->shared <= was.len && d->shared <= now.len && d->characters <= d->shared);
	expect(memcmp(was.ptr, now.ptr, d->shared) == 0);
	buf_free(&was_scratch);
	buf_free(&now_scratch);
}

static void
check_difference(const struct prefix_difference *d, struct json_value was, struct json_value now)
{
	expect(d->change == PREFIX_CHANGED || d->change == PREFIX_RESPELLED);
	expect(is_in(d->at, now));
	expect(d->was.type != JSON_ABSENT || d->now.type != JSON_ABSENT);
	expect(d->was.type == JSON_ABSENT || is_in(d->was.ptr, was));
	expect(d->now.type == JSON_ABSENT || is_in(d->now.ptr, now));
	expect(d->pointer.len == 0 || d->pointer.ptr[0] == '/');
	if (d->was.type == JSON_STRING && d->now.type == JSON_STRING && !d->is_name)
		check_shared(d);
	else
		expect(d->shared == 0);
}

static bool
is_same(struct json_value was, struct json_value now, enum prefix_kind kind)
{
	struct prefix_difference difference = PREFIX_DIFFERENCE_INIT;
	bool same = prefix_is_same(was, now, kind, &difference);

	if (!same)
		check_difference(&difference, was, now);
	prefix_difference_free(&difference);
	return same;
}

static void
check(struct json_value was, struct json_value now, enum prefix_kind kind)
{
	struct buf squeezed = BUF_INIT;
	bool same = is_same(was, now, kind);

	expect(is_same(was, was, kind));
	expect(is_same(now, was, kind) == same);
	json_squeeze(now, &squeezed);
	now = json_value_at(padded_at(buf_str(&squeezed), 0, ',').ptr);
	expect(is_same(was, now, kind) == same);
	buf_free(&squeezed);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct str rest, texts[2];
	struct json_scan scan[2];
	const char *end;

	if (len == 0)
		return 0;
	rest = str_of((const char *)bytes + 1, len - 1);
	end = memchr(rest.ptr, '\n', rest.len);
	if (end == NULL)
		return 0;
	texts[0] = str_of(rest.ptr, (size_t)(end - rest.ptr));
	texts[1] = str_of(end + 1, rest.len - texts[0].len - 1);
	for (unsigned i = 0; i < 2; i++)
		texts[i] = padded_at(texts[i], 0, '\n');
	if (json_scan(texts[0], NULL, &scan[0]) && json_scan(texts[1], NULL, &scan[1]))
		check(scan[0].value, scan[1].value, (enum prefix_kind)(bytes[0] % 4));
	arena_free(&padded_arena);
	return 0;
}
