#ifndef POLICY_DIGEST_PHRASES_H
#define POLICY_DIGEST_PHRASES_H

/*
 * Phrases in a sentence: words in lower letters with one blank between them.
 *
 *     do not      Do not   DO  NOT   do **not**   _do not_       not: undo nothing
 *     don't       Don't    don’t     dont
 *
 * A phrase stands between word boundaries, in any case. Its blank is any run of blanks and marks of
 * emphasis, its apostrophe may have either spelling or be left out. Each phrase has two bytes or
 * more.
 */

#include <stdint.h>

#include "base/str.h"

enum { PHRASES_MOST = 80 };

/* At most PHRASES_MOST phrases, each of which begins with two letters. What they are looked for
 * with is made at the first search. */
struct phrases {
	const struct str *phrase;
	size_t count;
	uint32_t second[32];        /* by first letter: which letters follow it, one bit each */
	uint8_t first[32];          /* by first letter: one more than a phrase; 0: none */
	uint8_t next[PHRASES_MOST]; /* by phrase: the next one of its first letter, likewise */
};

#define PHRASES_INIT(list, length) \
	{ \
		.phrase = (list), .count = (length) \
	}

/* Whether the text has one of the phrases. */
bool phrases_any(struct phrases *phrases, struct str text);

/* The bytes of the first of the phrases with which the text begins; 0: with none. */
size_t phrases_begin(struct str text, const struct str *phrase, size_t count);

/* Whether the byte is a letter, a digit or an underscore. */
bool phrases_is_word_byte(char c);

#endif
