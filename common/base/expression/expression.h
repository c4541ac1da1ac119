#ifndef EXPRESSION_EXPRESSION_H
#define EXPRESSION_EXPRESSION_H

/*
 * POSIX extended regular expressions, of bytes, that cost what they say whatever the text is. The
 * matcher of a C library may walk a text again from each of its places, or keep a state for each of
 * them. This one goes over the text once and has the places of the expression that it may be at:
 *
 *     (ab|a)c     0 SPLIT 1 4   1 a   2 b   3 JUMP 5   4 a   5 c   6 MATCH
 *     ^           at 1 and 4 when the text begins
 *
 * So time is at most the length of the text times the size of the expression, and memory is bounded
 * by the size. "\w \W \s \S \b \B \< \> \` \'" are those of GNU's, and "." is any byte, NUL and LF
 * too. Back-references are refused: what they cost has no bound.
 */

#include "base/expression/expression_code.h"

/* What the text is part of; as bits. */
enum { EXPRESSION_NOT_BEGIN = 1, EXPRESSION_NOT_END = 2 };

struct expression_thread {
	uint32_t at;  /* a place */
	size_t start; /* of the match */
};

struct expression {
	struct expression_code code;
	/* What a match may begin with; a match of no byte may begin anywhere. */
	struct expression_set first;
	bool begins_anywhere;
	/* Of a search: a list of threads for the place in the text, and one for the next place. */
	struct expression_thread *thread[2];
	uint32_t *stack;
	uint64_t *seen; /* of each place, the step in which it was entered last */
	uint64_t step;
};

/* Returns false, with a phrase in message, when the expression is malformed or too large; there is
 * then nothing to free. */
bool expression_init(struct expression *expression, const char *ere, struct buf *message);

/* Sets *start and *end to the first match in the text, of those that begin there the longest, and
 * returns true. flags say where "^" and "$" do not match. */
bool expression_find(struct expression *expression, struct str text, unsigned flags,
    const char **start, const char **end);

void expression_free(struct expression *expression);

#endif
