#ifndef JSON_PADDED_H
#define JSON_PADDED_H

/*
 * Texts with the padding that json/scan.h asks for, and not a byte more of it: AddressSanitizer
 * sees whoever reads behind it. The bytes come from an arena that the test program frees.
 */

#include <stdlib.h>

#include "base/arena.h"
#include "json/scan.h"

static struct arena padded_arena;

/* A copy of text that shift bytes stand before and JSON_PADDING bytes fill behind. */
static inline struct str
padded_at(struct str text, size_t shift, char fill)
{
	char *ptr = arena_alloc(&padded_arena, shift + text.len + JSON_PADDING);

	memset(ptr, fill, shift + text.len + JSON_PADDING);
	if (text.len > 0)
		memcpy(ptr + shift, text.ptr, text.len);
	return str_of(ptr + shift, text.len);
}

static inline struct str
padded(const char *text)
{
	return padded_at(str_from(text), 0, '\n');
}

/* The same with " for each ', which C does not want escaped. */
static inline struct str
quoted(const char *text)
{
	struct str copy = padded(text);

	for (size_t i = 0; i < copy.len; i++)
		if (copy.ptr[i] == '\'')
			((char *)copy.ptr)[i] = '"';
	return copy;
}

/* The value that text is, which must be valid. text has its padding. */
static inline struct json_value
parsed_str(struct str text)
{
	struct json_scan scan;

	if (!json_scan(text, NULL, &scan))
		abort();
	return scan.value;
}

static inline struct json_value
parsed(const char *text)
{
	return parsed_str(padded(text));
}

#endif
