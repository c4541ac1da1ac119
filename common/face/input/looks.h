#ifndef INPUT_LOOKS_H
#define INPUT_LOOKS_H

/*
 * Input that is not JSON lines: the format that it looks like, and a command that makes it
 * readable.
 */

#include "base/buf.h"
#include "stream/input.h"

struct looks {
	const char *what; /* NULL: nothing that is known */
	const char *how;  /* a command that makes JSON lines of it, or NULL */
	const char *hint; /* without a command, advice */
	bool is_certain;  /* no JSON lines begin so, whatever follows */
	bool goes_on;     /* reported only if the next line is bad, too: else it is a torn line */
};

/* The format that the line looks like: a bad line, the first of its file that is not blank. */
struct looks looks_of(const struct line *line);

/* Appends "looks like WHAT; try HOW FILE", or the hint. file is "-" for standard input. */
void looks_say(const struct looks *looks, const char *file, struct buf *text);

#endif
