#ifndef POLICY_CONSTRAINTS_PHRASES_H
#define POLICY_CONSTRAINTS_PHRASES_H

/*
 * Phrases in a sentence: words in lower letters with one blank between them.
 *
 *     do not      Do not   DO  NOT   do **not**   _do not_       not: undo nothing
 *     don't       Don't    don’t     dont
 *
 * A phrase is found between word boundaries, in any case. Its blank is any run of blanks and marks
 * of emphasis, its apostrophe may have either spelling or be left out. Each phrase has two bytes or
 * more.
 */

#include <stdint.h>

#include "base/fault.h"
#include "base/str.h"

enum { PHRASES_MOST = 600 };

/* At most PHRASES_MOST phrases, each of which begins with two letters, or with one and a blank. The
 * index by which they are found is made at the first search. */
struct phrases {
	const struct str *phrase;
	size_t count;
	uint32_t second[32];         /* by first letter: which letters follow it, one bit each */
	uint16_t first[32];          /* by first letter: one more than a phrase; 0: none */
	uint16_t next[PHRASES_MOST]; /* by phrase: the next one of its first letter, likewise */
};

/* Calls see for each phrase that the text has, with its place and number, in the order of the
 * places. */
void phrases_each(struct phrases *phrases, struct str text,
    void (*see)(void *context, size_t at, size_t number), void *context);

/* The bytes of the phrase with which the text begins; 0: it does not. */
size_t phrases_begin(struct str text, struct str phrase);

/* The phrases of a file, a line each, in any case, without blank lines and lines that begin with
 * '#'. */
struct phrase_file {
	struct buf text;
	struct str *phrase;
	struct phrases phrases;
};

/* Reads the file. Returns false with the fault set when it cannot be read, as file_read says, and
 * when a line does not begin with two letters or there are more than PHRASES_MOST (78). Call
 * phrase_file_free in any case. */
bool phrase_file_read(struct phrase_file *file, const char *path, struct fault *fault);
void phrase_file_free(struct phrase_file *file);

#endif
