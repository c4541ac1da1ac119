#ifndef PIECES_SPLIT_H
#define PIECES_SPLIT_H

/*
 * Cuts text into the pieces that byte pair encoding works on, one at a time. The published rules
 * are regular expressions (openai/tiktoken, tiktoken_ext/openai_public.py, in the form of npm
 * tiktoken 1.0.22); here they are classifiers over unicode_table.h:
 *
 *     split_next     scalar: any text, one piece a call
 *     split_windows  64 bytes of ASCII at once; stops when the end of a piece is not certain
 *
 * Both begin at the start of a piece and have no state, so a caller may alternate between them.
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
#define SPLIT_BATCH 256 /* the most ends that one call of split_windows writes */

/* The length of the first piece of text, 1 to text.len. text is UTF-8 and not empty. An ill-formed
 * byte counts as a code point that is in no class. */
size_t split_next(enum split_pattern pattern, struct str text);

/* Whether this processor has the instructions that split_windows needs. */
bool split_has_window(void);

/*
 * Finds the pieces from offset *at on. Writes their ends to ends, sets *at to the last end, and
 * returns the number of ends, at most SPLIT_BATCH. Stops before a piece that starts at or after
 * stop. Stops also before a piece whose end within 64 bytes is not certain, such as the last piece
 * of a text. Reads up to SPLIT_WINDOW_LEN bytes after stop. Requires split_has_window.
 */
size_t split_windows(
    enum split_pattern pattern, struct str text, size_t stop, size_t *at, size_t *ends);

#endif
