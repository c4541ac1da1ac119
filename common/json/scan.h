#ifndef JSON_SCAN_H
#define JSON_SCAN_H

/*
 * The scanner: strict RFC 8259 and UTF-8 in one pass over the text, in place, without recursion or
 * allocation. It validates one JSON text and notes where the members lie that the caller asked for
 * by name; what lies deeper is found afterwards with json/walk.h in the value's own span, which is
 * known to be valid by then. Values point into the text and own nothing.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum {
	JSON_DEPTH_MAX = 1024, /* levels of arrays and objects */
	JSON_PADDING = 64,     /* readable bytes (of any content) that must follow a text */
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

/* list must outlive names. Names are compared decoded: "r\u006fle" is role. */
void json_names_init(struct json_names *names, const struct str *list, unsigned count);

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

/*
 * Scans text, which must be one JSON value and white space (at most 4 GiB - 1; longer is an error),
 * into scan; false when it is not valid, with scan->error and error_at set. names may be NULL.
 * JSON_PADDING readable bytes must follow the text, also when its values are read later. Lone
 * surrogate escapes and numbers of any size are valid; nesting deeper than JSON_DEPTH_MAX is not.
 */
bool json_scan(struct str text, const struct json_names *names, struct json_scan *scan);

/*
 * Scans the first line of text, whose end is not known yet, with the same result as json_scan of
 * the line. Returns the line's length, its LF included; or 0 when it is not one valid value on one
 * line that ends in text, and then says nothing more of it.
 */
size_t json_scan_line(struct str text, const struct json_names *names, struct json_scan *scan);

/* The instruction sets that the scanner has paths for; JSON_ISA_BEST is what the machine has. */
enum json_isa { JSON_ISA_SCALAR, JSON_ISA_SSE2, JSON_ISA_AVX2, JSON_ISA_BEST };

/* Makes json_scan use that path (tests only); false when this machine lacks it. */
bool json_scan_use(enum json_isa isa);

#endif
