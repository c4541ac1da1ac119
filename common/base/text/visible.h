#ifndef TEXT_VISIBLE_H
#define TEXT_VISIBLE_H

/*
 * The visible form of text. Records may be hostile text: control characters move a terminal's
 * cursor, marks of direction swap the text beside them, line ends forge lines, and what has no
 * width hides words. In the visible form these stand as escapes:
 *
 *     \x1b         a control character: C0, DEL
 *     \u009b       a control character of C1; a mark of direction (U+061C, U+200E, U+200F, U+202A
 *                  to U+202E, U+2066 to U+2069); a line or paragraph separator (U+2028, U+2029);
 *                  what has no width (U+200B to U+200D, U+2060 to U+206F, U+FEFF, U+FFF9 to
 *                  U+FFFB)
 *     \U000e0041   a tag, or another special character of plane 14 (U+E0000 to U+E0FFF)
 *     \xff         a byte that is not UTF-8
 *
 * All else stands for itself, a backslash too. The functions here allocate nothing;
 * base/text/text.h writes the visible form into a buffer.
 */

#include "base/str.h"

enum { VISIBLE_MAX = 10 }; /* bytes of the visible form of a code point */

/* Puts the visible form of the code point at *p at to, and moves *p behind the code point. Returns
 * the length of the visible form. The text ends at end; *p is before end. */
unsigned visible_next(const char **p, const char *end, char *to);

/* The bytes at the front of text that are printable ASCII: these stand for themselves. */
size_t visible_ascii(struct str text);

/* Whether text is its own visible form. */
bool visible_is(struct str text);

#endif
