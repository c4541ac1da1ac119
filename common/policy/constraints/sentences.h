#ifndef POLICY_CONSTRAINTS_SENTENCES_H
#define POLICY_CONSTRAINTS_SENTENCES_H

/*
 * The sentences of a text that are its author's own: none that were pasted (policy/text/pasted.h).
 * They are spans of the text.
 *
 *     - Never push (not once).  See e.g. a.c        "Never push (not once)."  "See e.g. a.c"
 *
 * A stop before a blank, and not between quotes, ends a sentence, and so does the end of its line,
 * unless the line is long and the next one goes on with a word. A bullet is not of its sentence,
 * nor are the tags of an element around it; emphasis is. A sentence of more than SENTENCES_PIECE
 * bytes comes in pieces that end between clauses, or else between words; text without such a place
 * is no prose, and is left out. The time is linear in the text.
 */

#include "base/str.h"

enum { SENTENCES_PIECE = 400 };

/* Calls see for each sentence, in order. Blanks around it are taken off; none is empty. */
void sentences_of(struct str text, void (*see)(void *context, struct str sentence), void *context);

/* The text without the tags of elements around it: "<rule>Never push.</rule>". A span of it. */
struct str sentences_bare(struct str text);

#endif
