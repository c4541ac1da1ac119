#ifndef TEXT_VISIBLE_H
#define TEXT_VISIBLE_H

/*
 * The visible form of text. Records may be hostile text: control characters move a terminal's
 * cursor, marks of direction swap the text beside them, line ends forge lines, and characters
 * without width hide words. The visible form has escapes in their place:
 *
 *     \x1b         a control character: C0, DEL
 *     \u009b       a control character of C1; a mark of direction (U+061C, U+200E, U+200F, U+202A
 *                  to U+202E, U+2066 to U+2069); a line or paragraph separator (U+2028, U+2029);
 *                  a character without width (U+200B to U+200D, U+2060 to U+206F, U+FEFF,
 *                  U+FFF9 to U+FFFB)
 *     \U000e0041   a tag, or another special character of plane 14 (U+E0000 to U+E0FFF)
 *     \xff         a byte that is not UTF-8
 *
 * All other text is unchanged, also a backslash. The functions here allocate nothing;
 * base/text/text.h writes the visible form into a buffer.
 */

#include "base/str.h"

enum { VISIBLE_MAX = 10 }; /* bytes of the visible form of a code point */

/* Writes the visible form of the code point at *p to the VISIBLE_MAX bytes at to, and moves *p to
 * the end of the code point. Returns the length of the visible form. The text ends at end; *p is
 * before end. */
unsigned visible_next(const char **p, const char *end, char *to);

/* The number of bytes at the start of text that are printable ASCII: these are never escaped. */
size_t visible_ascii(struct str text);

/* Whether text is its own visible form. */
bool visible_is(struct str text);

#endif
