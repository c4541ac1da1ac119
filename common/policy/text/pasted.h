#ifndef TEXT_PASTED_H
#define TEXT_PASTED_H

/*
 * Which lines of a text its author pasted: what a program wrote, and what somebody else said.
 *
 *     a block between fences; a line behind ">"
 *     {"a": 1}     "name": 2,        JSON
 *     <p class=x>  <div>             HTML; an element of another name may be the author's own
 *     diff --git   @@ -1 +1 @@       a diff, as far as its lines go
 *     +314 - Tips  + 8 x = 1;        the same with the numbers of lines, as agents show it
 *     Traceback    $ make   ➜ make   a stack trace, a command and its output, to an empty line
 *     at f (a.js:1:2)                a line of a trace
 *     12:00:01 …   ERROR …  a.c:4:   a log, a diagnostic, the result of a test
 *     f(x); // …   while (x) {       code
 *     ────         ⠇ Working         what a program draws on a terminal
 *     '/tmp/a.png'                   a path between quotes, alone
 *
 * An indented line that is no item of a list goes on with such a line before it. What a program
 * wrote is known by its form alone: prose that was pasted is not.
 */

#include "base/str.h"

/* What a line is of. */
enum pasted {
	PASTED_NOT,
	PASTED_LINE,
	PASTED_DIFF,
	PASTED_OUTPUT,
	PASTED_FENCED,
	PASTED_END /* nothing goes on behind it: the end of a block between fences, a quoted line */
};

/* What the line, which has no line feed, is of, where the line before is of that. */
enum pasted pasted_next(enum pasted before, struct str line);

/* The text from its author's first line on; all of it where there is none. A span of the text. */
struct str pasted_skip(struct str text);

#endif
