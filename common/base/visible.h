#ifndef BASE_VISIBLE_H
#define BASE_VISIBLE_H

/*
 * The visible form of text. Records are hostile text: control characters move a terminal's cursor,
 * marks of direction swap what stands beside them, line ends forge lines. The visible form has none
 * of them, whatever the text is:
 *
 *     \x1b      a control character: C0, DEL
 *     \u009b    a control character of C1, a mark of direction (U+061C, U+200E, U+200F, U+202A to
 *               U+202E, U+2066 to U+2069), a line or paragraph separator (U+2028, U+2029)
 *     \xff      a byte that is not UTF-8
 *
 * All else stands for itself, a backslash too. base/text.h writes the form into a buffer; this is
 * what needs no memory.
 */

#include "base/str.h"

enum { VISIBLE_MAX = 6 }; /* bytes of the visible form of a code point */

/* Puts the visible form of the code point at *p at to, moves *p behind it, returns its length. The
 * text ends at end, which is behind *p. */
unsigned visible_next(const char **p, const char *end, char *to);

/* Whether text is its own visible form. */
bool visible_is(struct str text);

#endif
