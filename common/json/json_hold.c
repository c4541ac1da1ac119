#include "json/json_hold.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/mem.h"
#include "json/path/path.h"

enum {
	TEXT_LEAST = 16384, /* bytes of a text that is held */
	VALUE_LEAST = 256,  /* bytes of a value that is noted */
	DEPTH_MOST = 8,     /* a deeper container is not noted, which bounds the memory */
};

struct str json_held_text;

/* The spans; or the values, and a table of them by the hash of where they begin: an index + 1, or
 * 0. */
static struct {
	const struct json_spans *spans; /* of a line, or NULL */
	struct str around;              /* the document that is held beside the line, or empty */
	struct json_value *value;
	uint32_t count, cap;
	uint32_t *slot;
	unsigned shift; /* a hash has 32 - shift bits */
} held;

static uint32_t
first_slot(const char *p)
{
	return (uint32_t)(p - json_held_text.ptr) * UINT32_C(2654435769) >> held.shift;
}

static void
note(const char *p, const char *end, enum json_type type, uint8_t escaped)
{
	struct json_value value = json_value_of(p, end, type);

	if (value.len < VALUE_LEAST)
		return;
	value.escaped = escaped;
	LIST_ADD(held.value, held.count, held.cap, value);
}

/* Finds the long values of the text. */
static void
find_values(struct str text)
{
	const char *opened[DEPTH_MOST], *end = text.ptr + text.len;
	unsigned depth = 0;

	for (const char *p = text.ptr, *start; p < end;) {
		uint8_t escaped = 0;

		start = p++;
		if (*start == '"') {
			p = json_path()->string_end(start, &escaped);
			note(start, p, JSON_STRING, escaped);
		} else if ((*start | 0x20) == '{') { /* or '[' */
			if (depth < DEPTH_MOST)
				opened[depth] = start;
			depth++;
		} else if ((*start | 0x20) == '}' && --depth < DEPTH_MOST) { /* or ']' */
			note(opened[depth], p, *start == '}' ? JSON_OBJECT : JSON_ARRAY, 0);
		}
	}
}

bool
json_hold(struct str text)
{
	unsigned bits = 4;

	if (json_held_text.len > 0 || text.len < TEXT_LEAST)
		return false;
	held.count = 0;
	find_values(text);
	while (bits < 31 && (uint32_t)1 << bits < 2 * held.count)
		bits++;
	json_held_text = text;
	held.shift = 32 - bits;
	held.slot = mem_alloc((size_t)1 << bits, sizeof *held.slot);
	memset(held.slot, 0, sizeof *held.slot << bits);
	for (uint32_t i = 0; i < held.count; i++) {
		uint32_t slot = first_slot(held.value[i].ptr);

		while (held.slot[slot] != 0)
			slot = (slot + 1) & (((uint32_t)1 << bits) - 1);
		held.slot[slot] = i + 1;
	}
	return true;
}

bool
json_hold_spans(struct str text, const struct json_spans *spans)
{
	if (held.spans != NULL || spans == NULL)
		return false;
	held.around = json_held_text;
	held.spans = spans;
	json_held_text = text;
	return true;
}

void
json_release(void)
{
	if (held.spans != NULL) {
		held.spans = NULL;
		json_held_text = held.around;
		return;
	}
	free(held.value);
	free(held.slot);
	held.value = NULL;
	held.slot = NULL;
	held.cap = 0;
	json_held_text = STR("");
}

/* The outermost values are last. */
static struct json_value
find_span(const char *p)
{
	for (unsigned i = held.spans->count; i-- > 0;)
		if (held.spans->value[i].ptr == p)
			return held.spans->value[i];
	return json_absent;
}

struct json_value
json_held_at(const char *p)
{
	const uint32_t mask = UINT32_MAX >> held.shift;

	if (held.spans != NULL)
		return find_span(p);
	for (uint32_t slot = first_slot(p); held.slot[slot] != 0; slot = (slot + 1) & mask)
		if (held.value[held.slot[slot] - 1].ptr == p)
			return held.value[held.slot[slot] - 1];
	return json_absent;
}

const struct json_member *
json_held_members_at(const char *p, const struct json_member **end)
{
	const struct json_spans *spans = held.spans;

	if (spans == NULL || spans->object == NULL || spans->outer_count > JSON_OUTER_MAX)
		return NULL;
	if (p == spans->object) {
		*end = spans->outer + spans->outer_count;
		return spans->outer;
	}
	for (unsigned i = 0; i < spans->outer_count; i++)
		if (spans->outer[i].value.ptr == p && spans->first[i] < spans->after[i]) {
			*end = spans->inner + spans->after[i];
			return spans->inner + spans->first[i];
		}
	return NULL;
}
