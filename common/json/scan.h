#ifndef JSON_SCAN_H
#define JSON_SCAN_H

/*
 * The scanner validates one JSON text, strictly by RFC 8259 and UTF-8, in one pass, without
 * recursion or allocation. The caller gives names of top-level members; the scanner notes the
 * places of these members. To find deeper members after that, use json/members.h, which relies on a
 * valid text. Values point into the text and own nothing.
 */

#include "json/value.h"

/* Prepares the count names of list, which must outlive names. Names are compared decoded:
 * "r\u006fle" is role. count is a constant; more than JSON_SCAN_NAMES_MAX names do not compile.
 * json_names_init takes more of them, at most JSON_NAMES_MAX, for sets that no scan takes. */
#define JSON_NAMES_INIT(names, list, count) \
	do { \
		_Static_assert( \
		    (int)(count) <= (int)JSON_SCAN_NAMES_MAX, "more names than have room"); \
		json_names_init(names, list, count); \
	} while (0)
void json_names_init(struct json_names *names, const struct str *list, unsigned count);

/* Takes the next name of the list into the set, too. */
void json_names_grow(struct json_names *names);

/*
 * A table of names has a row for each name. An enum of the indexes and a list of the names are made
 * from the table:
 *
 *     #define TABLE(row) row(NAME_ROLE, "role") row(NAME_CONTENT, "content")
 *     enum name { TABLE(JSON_NAME_INDEX) NAME_COUNT };
 *     static const struct str list[] = {TABLE(JSON_NAME_TEXT)};
 */
#define JSON_NAME_INDEX(index, name) index,
#define JSON_NAME_TEXT(index, name) STR_INIT(name),

/* The index in names of the string value; -1 when value is no string, or not one of the names. */
int json_name_index(const struct json_names *names, struct json_value value);

/*
 * Scans text into scan. A valid text is one JSON value, with or without white space around it, of
 * less than 4 GiB. Returns false when the text is not valid, with scan->error and scan->error_at
 * set. names may be NULL. JSON_PADDING readable bytes must follow the text, now and whenever its
 * values are read later. Escapes of lone surrogates and numbers of any size are valid; nesting
 * deeper than JSON_DEPTH_MAX is not.
 */
bool json_scan(struct str text, const struct json_names *names, struct json_scan *scan);

/*
 * Scans the first line of text in the same pass that finds the end of the line. When the line is
 * one valid value and its LF is in text, returns the length of the line with its LF, and sets scan
 * as json_scan would for the line. Otherwise returns 0, and the content of scan has no meaning.
 * spans gets the long values of the line; it may be NULL.
 */
size_t json_scan_line(struct str text, const struct json_names *names, struct json_scan *scan,
    struct json_spans *spans);

/* The instruction sets that the scanner has paths for. JSON_ISA_BEST is the best one that this
 * machine has. */
enum json_isa { JSON_ISA_SCALAR, JSON_ISA_SSE2, JSON_ISA_AVX2, JSON_ISA_BEST };

/* Makes json_scan use the path for isa; for tests only. Returns false when this machine lacks
 * isa. */
bool json_scan_use(enum json_isa isa);

#endif
