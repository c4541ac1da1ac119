#ifndef JSON_PATH_H
#define JSON_PATH_H

/*
 * What the scanner's paths, one an instruction set, share: the grammar (path_grammar.inc) is
 * compiled into each of them over its own way to skip a string. A path says yes or no; what is
 * wrong with a string, and where, is found by one plain routine, so that all paths agree.
 */

#include "json/bytes.h"
#include "json/value.h"

struct json_scanner {
	const char *end;
	const struct json_names *names;
	struct json_scan *scan;
	const char *error_ptr;
	bool is_line; /* an LF ends the text */
};

struct json_path {
	/* Scans the one value at p, blanks before it skipped; returns where it ends, or NULL after
	 * json_fail. */
	const char *(*value)(struct json_scanner *s, const char *p);
	/* In valid text: where the string ends whose opening quote is at p; sets *escaped to 1 when
	 * it has a backslash. */
	const char *(*string_end)(const char *p, uint8_t *escaped);
	/* Of the valid inner text of a string: how many bytes it has when it is decoded. */
	size_t (*decoded_len)(const char *p, const char *end);
	/* In valid text: where the container whose bracket is at p ends. */
	const char *(*container_end)(const char *p);
};

extern const struct json_path json_path_scalar;
#if defined(__x86_64__)
extern const struct json_path json_path_sse2;
extern const struct json_path json_path_avx2;
#endif

/* The path in use. */
const struct json_path *json_path(void);

/* Notes that the byte at p is wrong, by phrase unless the text ends there; returns NULL. */
const char *json_fail(struct json_scanner *s, const char *p, const char *phrase);

/* Like json_fail, for something in the string whose opening quote is at p. */
const char *json_fail_string(struct json_scanner *s, const char *p);

/* The index of the name that the string name is, or -1. */
int json_names_find(const struct json_names *names, struct json_value name);

static inline struct json_value
json_value_of(const char *ptr, const char *end, enum json_type type)
{
	return (struct json_value){.ptr = ptr, .len = (uint32_t)(end - ptr), .type = (uint8_t)type};
}

/* For valid text: the first byte from p that is not blank. */
static inline const char *
json_skip_blank(const char *p)
{
	while (json_byte_is_blank(*p))
		p++;
	return p;
}

/* For valid text that something else than a digit follows: where the number at p ends. */
static inline const char *
json_number_end(const char *p)
{
	while (json_byte_is_digit(*p) || *p == '.' || *p == '-' || *p == '+' || (*p | 0x20) == 'e')
		p++;
	return p;
}

#endif
