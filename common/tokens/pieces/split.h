#ifndef PIECES_SPLIT_H
#define PIECES_SPLIT_H

/*
 * Cuts text into the pieces that byte pair encoding works on, one at a time. The published rules
 * are regular expressions (openai/tiktoken, tiktoken_ext/openai_public.py, in the form that npm
 * tiktoken 1.0.22 has them); here they are classifiers over unicode_table.h:
 *
 *     split_next     the scalar twin: any text, one piece a call
 *     split_windows  64 bytes of ASCII at once; stops where it is not sure
 *
 * Both start where a piece starts and have no state, so they may take turns.
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

/* The length of the first piece of text, 1 to text.len. text is UTF-8 and not empty. A byte that is
 * part of no code point counts as a code point that is in no class. */
size_t split_next(enum split_pattern pattern, struct str text);

/* Whether this processor has the instructions that split_windows needs. */
bool split_has_window(void);

/*
 * Finds the pieces from *at on. Writes their ends to ends, sets *at to the last end, and returns
 * the number of ends, at most SPLIT_BATCH. Stops before a piece that starts at stop or behind it.
 * Stops also before a piece that is not certain to end within 64 bytes; the last piece of a text
 * never is. Reads up to SPLIT_WINDOW_LEN bytes behind stop. Needs split_has_window.
 */
size_t split_windows(
    enum split_pattern pattern, struct str text, size_t stop, size_t *at, size_t *ends);

#endif
