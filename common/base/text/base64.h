#ifndef TEXT_BASE64_H
#define TEXT_BASE64_H

/*
 * Bytes as text, in base64 (RFC 4648, section 4). The padding with '=' at the end may be missing.
 */

#include "base/buf.h"

/* The number of digits of the text, without padding; 0 when the text is not base64. */
size_t base64_digits(struct str text);

/* Appends the decoded bytes of the text. Returns false, and appends nothing, when the text is empty
 * or not base64. */
bool base64_decode(struct str text, struct buf *bytes);

#endif
