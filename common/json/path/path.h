#ifndef PATH_PATH_H
#define PATH_PATH_H

/*
 * The scanner has several paths, one for each instruction set; this header has the parts that they
 * share. The grammar (path_grammar.inc) is compiled once for each path, with the path's own way to
 * skip a string. A path finds only whether a string is valid. One plain routine for all paths finds
 * the error in a string and its place, so that all paths agree.
 */

#include "json/bytes.h"
#include "json/value.h"

enum { ESCAPED_LONG = 3 }; /* a string has a backslash, and an escape \uXXXX or \/ */

struct json_scanner {
	const char *end;
	const struct json_names *names;
	struct json_scan *scan;
	struct json_spans *spans; /* or NULL */
	const char *error_ptr;
	bool is_line; /* an LF ends the text */
};

struct json_path {
	/* Skips blanks at p and scans the one value after them. Returns the end of the value, or
	 * NULL after json_fail. */
	const char *(*value)(struct json_scanner *s, const char *p);
	/* In valid text: the end of the string whose opening quote is at p. Sets *escaped to 1 when
	 * the string has a backslash. */
	const char *(*string_end)(const char *p, uint8_t *escaped);
	/* Writes the decoded inner text of a valid string to the memory at to. Returns its length,
	 * which is at most end - p, since no escape is shorter than its code point. Up to 32 bytes
	 * after the decoded text may be overwritten. */
	size_t (*decode)(const char *p, const char *end, char *to);
	/* The decoded length of the inner text of a valid string. */
	size_t (*decoded_len)(const char *p, const char *end);
	/* In valid text up to end: the first escape \uXXXX or \/, or end. */
	const char *(*long_escape)(const char *p, const char *end);
	/* In valid text: the end of the container whose opening bracket is at p. */
	const char *(*container_end)(const char *p);
};

extern const struct json_path json_path_scalar;
#if defined(__x86_64__)
extern const struct json_path json_path_sse2;
extern const struct json_path json_path_avx2;
#endif

/* The path in use. */
const struct json_path *json_path(void);

/* Notes an error at the byte at p. The text of the error is phrase, or "unexpected end" when p is
 * the end of the text. Returns NULL. */
const char *json_fail(struct json_scanner *s, const char *p, const char *phrase);

/* Finds the error in the string whose opening quote is at p, and notes it as json_fail does. */
const char *json_fail_string(struct json_scanner *s, const char *p);

/* The index of the string name in names, or -1. */
int json_names_find(const struct json_names *names, struct json_value name);

static inline struct json_value
json_value_of(const char *ptr, const char *end, enum json_type type)
{
	return (struct json_value){.ptr = ptr, .len = (uint32_t)(end - ptr), .type = (uint8_t)type};
}

/* In valid text: the first byte from p on that is not blank. */
static inline const char *
json_skip_blank(const char *p)
{
	while (byte_is_blank(*p))
		p++;
	return p;
}

/* In valid text: the end of the number at p. A byte that is no part of a number must follow it. */
static inline const char *
json_number_end(const char *p)
{
	while (byte_is_digit(*p) || *p == '.' || *p == '-' || *p == '+' || (*p | 0x20) == 'e')
		p++;
	return p;
}

#endif
