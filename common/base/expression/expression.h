#ifndef EXPRESSION_EXPRESSION_H
#define EXPRESSION_EXPRESSION_H

/*
 * POSIX extended regular expressions over bytes, with a cost that no text can drive up. The matcher
 * of a C library may walk the text again from each byte, or keep a state for each byte. This
 * matcher reads the text once. At each byte it holds the set of places of the expression where a
 * match may be by now:
 *
 *     (ab|a)c     0 SPLIT 1 4   1 a   2 b   3 JUMP 5   4 a   5 c   6 MATCH
 *     ^           at 1 and 4 when the text begins
 *
 * So time is at most the length of the text times the size of the expression, and memory is bounded
 * by the size of the expression. "\w \W \s \S \b \B \< \> \` \'" mean the same as in GNU regex. "."
 * matches any byte, also NUL and LF. Back-references are refused, since their cost has no bound.
 */

#include "base/expression/expression_code.h"

/* Flags of expression_find, as bits: the text is a part of a longer one, so that its start is no
 * place for "^", or its end no place for "$". */
enum { EXPRESSION_NOT_BEGIN = 1, EXPRESSION_NOT_END = 2 };

struct expression_thread {
	uint32_t at;  /* a place */
	size_t start; /* of the match */
};

struct expression {
	struct expression_code code;
	/* The bytes that a match may begin with. */
	struct expression_set first;
	bool begins_anywhere; /* a match may be empty, so that any byte may follow its start */
	/* For a search: the threads at the current byte of the text, and those at the next byte. */
	struct expression_thread *thread[2];
	uint32_t *stack;
	uint64_t *seen; /* for each place, the step in which a thread last came to it */
	uint64_t step;  /* counts the bytes of all searches */
};

/* Compiles ere. Returns false, with a phrase in message, when ere is malformed or too large; then
 * there is nothing to free. */
bool expression_init(struct expression *expression, const char *ere, struct buf *message);

/* Finds the first match in the text; of several that begin at the same byte, the longest. Sets
 * *start and *end, which point into the text, and returns true. Returns false when nothing
 * matches. */
bool expression_find(struct expression *expression, struct str text, unsigned flags,
    const char **start, const char **end);

void expression_free(struct expression *expression);

#endif
