#ifndef TOKENS_SPLIT_H
#define TOKENS_SPLIT_H

/*
 * Cuts text into the pieces that byte pair encoding works on, one at a time. The published rules
 * are regular expressions (openai/tiktoken, tiktoken_ext/openai_public.py, in the form that npm
 * tiktoken 1.0.22 has them); here they are classifiers over unicode_table.h:
 *
 *     split_next     the scalar twin: any text, one piece a call
 *     split_windows  64 bytes of ASCII at once; stops where it is not sure
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
#define SPLIT_BATCH 512 /* ends */

/* The length of the first piece of text, 1 to text.len. text is UTF-8 and not empty; a byte that
 * is no part of a code point counts as one that is in no class. */
size_t split_next(enum split_pattern pattern, struct str text);

/* Whether this processor has what split_windows needs. */
bool split_has_window(void);

/*
 * Writes to ends where the pieces end that start at *at and behind it, and sets *at to the last of
 * these ends; returns their count, at most SPLIT_BATCH. Stops before a piece that starts at stop or
 * behind it, or that is not certain to end within 64 bytes, as the last piece of a text never is.
 * Up to SPLIT_WINDOW_LEN bytes behind stop are read. Needs split_has_window.
 */
size_t split_windows(enum split_pattern pattern, struct str text, size_t stop, size_t *at,
    size_t *ends);

#endif
