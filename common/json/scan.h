#ifndef JSON_SCAN_H
#define JSON_SCAN_H

/*
 * The scanner: strict RFC 8259 and UTF-8 in one pass over the text, in place, without recursion or
 * allocation. It validates one JSON text and notes where the members lie that the caller asked for
 * by name; what lies deeper is found afterwards with json/walk.h in the value's own span, which is
 * known to be valid by then. Values point into the text and own nothing.
 */

#include "json/value.h"

/* list must outlive names. Names are compared decoded: "r\u006fle" is role. */
void json_names_init(struct json_names *names, const struct str *list, unsigned count);

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
