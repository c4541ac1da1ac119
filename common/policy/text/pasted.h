#ifndef TEXT_PASTED_H
#define TEXT_PASTED_H

/*
 * Which lines of a text its author pasted: output of a program, and words of somebody else.
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
 * An indented line that is no item of a list continues such a line before it. Only the form of a
 * line decides: pasted prose is not recognized.
 */

#include "base/str.h"

/* The kind of a line. */
enum pasted {
	PASTED_NOT,
	PASTED_LINE,
	PASTED_DIFF,
	PASTED_OUTPUT,
	PASTED_FENCED,
	PASTED_END /* no line continues it: the end of a block between fences, a quoted line */
};

/* The kind of the line, which has no line feed, if before is that of the line before it. */
enum pasted pasted_next(enum pasted before, struct str line);

/* The text from its author's first line on; all of it where there is none. A span of the text. */
struct str pasted_skip(struct str text);

#endif
