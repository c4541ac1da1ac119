#ifndef POLICY_DIGEST_LINE_CLASS_H
#define POLICY_DIGEST_LINE_CLASS_H

/*
 * The class of one line of a file, of a command's output, or of an edit, by its text alone.
 *
 *     noise        nothing: brackets, rules, imports, digits, coordinates, progress, passing tests,
 *                  what a client says of a result
 *     code         a statement
 *     definition   a name is introduced: func zero_read(…), class Gauge, CREATE TABLE …
 *     value        a name and its value: TIMEOUT_MS = 250, "port": 8080
 *     comment      words for people: // zero is taken once a minute
 *     outcome      how a run ended, or what it did: 3 passed, [main 3f9c2ab] gauge: …
 *     error        something went wrong
 *
 * Outcomes and errors are known in output only: in code, these are words like others. A line of few
 * letters is noise, except in an edit, or when the line is the whole text.
 */

#include "base/str.h"

enum line_class_origin {
	LINE_OF_TEXT,   /* of a file, or of the output of a command that only looks */
	LINE_OF_OUTPUT, /* of a command that does something */
	LINE_OF_EDIT    /* that an edit takes out or puts in */
};

enum line_class {
	LINE_NOISE,
	LINE_CODE,
	LINE_DEFINITION,
	LINE_VALUE,
	LINE_COMMENT,
	LINE_OUTCOME,
	LINE_ERROR,
	LINE_CLASSES
};

/* The line without additions of a tool or a terminal: blanks, a leading line number, bars around
 * it, colour escapes. A span of the line. */
struct str line_class_bare(struct str line);

/* The class of a bare line, and of one that is the whole of a text. */
enum line_class line_class_of(struct str bare, enum line_class_origin origin);
enum line_class line_class_of_whole(struct str bare, enum line_class_origin origin);

/* The line that names the error. That is the line itself; or, if the line is a verdict without a
 * subject ("FAIL", "Traceback (most recent call last):"), a line of rest, the text after it, that
 * says more: for a traceback, the first line that is not indented. */
struct str line_class_cause(struct str line, struct str rest);

#endif
