#ifndef TOKENS_SPLIT_H
#define TOKENS_SPLIT_H

/*
 * Cuts text into the pieces that byte pair encoding works on, one at a time. The published rules
 * are regular expressions (openai/tiktoken, tiktoken_ext/openai_public.py, in the form that npm
 * tiktoken 1.0.22 has them); here they are classifiers over unicode_table.h:
 *
 *     split_next    the scalar twin: any text, one piece a call
 *     split_window  64 bytes of ASCII at once; says nothing where it is not sure
 *
 * Both start at a piece boundary and carry no state, so that they may take turns.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

enum split_pattern {
	SPLIT_CL100K,
	SPLIT_O200K,
};

#define SPLIT_PATTERN_COUNT 2
#define SPLIT_WINDOW_LEN 64

/* The length of the first piece of text, 1 to text.len. text is UTF-8 and not empty; a byte that
 * is no part of a code point counts as one that is in no class. */
size_t split_next(enum split_pattern pattern, struct str text);

/* Whether this processor has what split_window needs. */
bool split_has_window(void);

/* Bit i is set when a piece ends before byte i. Reads SPLIT_WINDOW_LEN bytes at ptr, which starts a
 * piece, and believes the first len of them; 0 when the first piece is not certain to end there. */
uint64_t split_window(enum split_pattern pattern, const char *ptr, size_t len);

#endif
