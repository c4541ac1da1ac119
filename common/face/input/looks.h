#ifndef INPUT_LOOKS_H
#define INPUT_LOOKS_H

/*
 * Input that is no JSON lines: what it looks like, and what to type so that a command can read it.
 */

#include "base/buf.h"
#include "stream/input.h"

struct looks {
	const char *what; /* NULL: nothing that is known */
	const char *how;  /* a command that makes JSON lines of it, or NULL */
	const char *hint; /* without one, what to do */
	bool is_certain;  /* no JSON lines begin so, whatever follows */
	bool goes_on;     /* only where another bad line follows: else it is a torn line */
};

/* What the first line of a file that is not blank looks like; the line is bad. */
struct looks looks_of(const struct line *line);

/* Appends "looks like WHAT; try HOW FILE | COMMAND". file is "-" for standard input. */
void looks_say(const struct looks *looks, const char *file, const char *command, struct buf *text);

#endif
