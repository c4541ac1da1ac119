#ifndef JSON_TEXT_H
#define JSON_TEXT_H

/*
 * The text of validated JSON strings. Decoded text is UTF-8; a lone surrogate escape becomes
 * U+FFFD, as TextEncoder has it; \u0000 becomes a NUL byte.
 */

#include "base/buf.h"
#include "json/value.h"

/* The decoded text: the span itself when nothing is escaped, else decoded into buf (which is reset
 * first). Valid as long as the text and buf's content are. */
struct str json_text(struct json_value string, struct buf *buf);

/* Appends the decoded text to buf. */
void json_decode(struct json_value string, struct buf *buf);

/* Puts the decoded text at to, at most as many bytes as json_inner has; returns how many. */
size_t json_decode_to(struct json_value string, char *to);

/* How many bytes the decoded text has. */
size_t json_decoded_len(struct json_value string);

/* Whether value is a string whose decoded text is text. */
bool json_is(struct json_value value, struct str text);

/* Whether value is a string with nothing but white space in it (Unicode White_Space). */
bool json_is_blank(struct json_value value);

/* The value of an integer number without fraction or exponent that fits, else fallback. */
int64_t json_integer(struct json_value value, int64_t fallback);

/* The value of any number, through strtod in the C locale; fallback for other types. */
double json_real(struct json_value value, double fallback);

#endif
