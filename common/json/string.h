#ifndef JSON_STRING_H
#define JSON_STRING_H

/*
 * The text of JSON strings and the value of JSON numbers, which json_scan has accepted. Decoded
 * text is UTF-8: the escape of a lone surrogate becomes U+FFFD, as in TextEncoder of web browsers,
 * and \u0000 becomes a NUL byte.
 */

#include "base/buf.h"
#include "base/hash/hash.h"
#include "json/value.h"

/* The decoded text. For a string without escapes it is a span of the JSON text; otherwise buf is
 * reset and gets the decoded text. Valid until the JSON text or buf changes. */
struct str json_text(struct json_value string, struct buf *buf);

/* The hash of the decoded text; seed is that of hash_bytes. */
struct hash json_hash(struct json_value string, struct hash seed);

/* Appends the decoded text to buf. */
void json_decode(struct json_value string, struct buf *buf);

/* Appends the decoded text of the inside of a string that may be invalid, such as one that was cut
 * off. A backslash that begins no valid escape stays as it is. */
void json_decode_torn(struct str inner, struct buf *buf);

/* Writes the decoded text to the memory at to. Returns its length, which is at most that of
 * json_inner. JSON_PADDING bytes after the decoded text may be overwritten. */
size_t json_decode_to(struct json_value string, char *to);

/* The length of the decoded text. */
size_t json_decoded_len(struct json_value string);

/* Appends a decoded name to a JSON Pointer, escaped as RFC 6901 requires. The caller appends the
 * "/" before it. */
void json_add_step(struct buf *pointer, struct str name);

/* The first escape of a lone surrogate in text, JSON with padding after it, which may be a rest of
 * JSON that begins inside no escape; or an empty text. */
struct str json_lone_surrogate(struct str text);

/* Whether value is a string whose decoded text is text. */
bool json_is(struct json_value value, struct str text);
/* Whether value is a string whose decoded text is one of the count texts of list. */
bool json_is_one_of(struct json_value value, const struct str *list, size_t count);
#define JSON_IS_ONE_OF(value, list) json_is_one_of((value), (list), ARRAY_COUNT(list))

/* The first byte of the decoded text after leading Unicode White_Space; -1 when there is no such
 * byte. */
int json_first_byte(struct json_value string);

/* Whether value is a string that is empty or has only white space. */
bool json_is_blank(struct json_value value);

/* The length of json_inner(string) without the ASCII blanks at its end, escaped or not. */
size_t json_trimmed_len(struct json_value string);

/* The value of a number without fraction and exponent. fallback when value is no such number, and
 * when the number does not fit into the type. */
int64_t json_integer(struct json_value value, int64_t fallback);

/* The same for a count: 0 when value is less than 0, or no such number. */
uint64_t json_count(struct json_value value);

/* The value of any number, read by strtod in the C locale; fallback when value is no number. */
double json_real(struct json_value value, double fallback);

#endif
