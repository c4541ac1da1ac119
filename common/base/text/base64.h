#ifndef TEXT_BASE64_H
#define TEXT_BASE64_H

/*
 * Bytes as text, in base64 (RFC 4648, section 4). What fills up the last four digits may be
 * missing.
 */

#include "base/buf.h"

/* How many digits the text has in front of what fills it up; 0 where it is no base64. */
size_t base64_digits(struct str text);

/* Appends the bytes that the text says. Returns false, and appends nothing, where it is no
 * base64. */
bool base64_decode(struct str text, struct buf *bytes);

#endif
