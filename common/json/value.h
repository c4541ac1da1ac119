#ifndef JSON_VALUE_H
#define JSON_VALUE_H

/*
 * The terms in which the modules of this layer speak of a JSON text: values are spans of it and own
 * nothing.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

enum {
	JSON_DEPTH_MAX = 1024, /* levels of arrays and objects */
	/* Readable bytes (of any content) that must follow a text. */
	JSON_PADDING = BUF_PADDING,
	JSON_NAMES_MAX = 32,
	JSON_NAMES_SLOTS = 64,
};

enum json_type {
	JSON_ABSENT,
	JSON_NULL,
	JSON_FALSE,
	JSON_TRUE,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT,
};

/* A value's span in the text; that of a string includes its quotes. */
struct json_value {
	const char *ptr;
	uint32_t len;
	uint8_t type;    /* enum json_type */
	uint8_t escaped; /* a string with at least one backslash */
};

static inline struct str
json_span(struct json_value value)
{
	return str_of(value.ptr, value.len);
}

/* What stands between the quotes of a string, escapes not resolved. */
static inline struct str
json_inner(struct json_value string)
{
	return str_of(string.ptr + 1, string.len - 2u);
}

/*
 * A set of member names prepared for look-up, at most JSON_NAMES_MAX; a name's index in the list
 * is its index in struct json_scan. Prepare it once with json_names_init.
 */
struct json_names {
	const struct str *list;
	unsigned count;
	uint64_t head[JSON_NAMES_MAX];  /* the first eight bytes of each, zeros after its end */
	uint8_t slot[JSON_NAMES_SLOTS]; /* index + 1 by hash, 0 is empty; probed linearly */
};

/* What a scan found. */
struct json_scan {
	struct json_value value; /* the whole text, white space around it left out */
	/* Of the top-level object, the first of a name, JSON_ABSENT where there is none; no more
	 * than names->count are set. */
	struct json_value member[JSON_NAMES_MAX];
	uint32_t repeated; /* bit i: name i stood more than once */
	/* The offset of the first byte that is wrong: of ill-formed UTF-8 the first of its
	 * sequence, of what is missing at the end the text's length. */
	size_t error_at;
	const char *error; /* what is wrong, a phrase; NULL when valid */
};

#endif
