#ifndef POLICY_DIGEST_LINE_CLASS_H
#define POLICY_DIGEST_LINE_CLASS_H

/*
 * What one line of a file, of a command's output, or of an edit has to say, by its text alone.
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
 * letters is noise among others; what an edit sets, and the whole of an answer, is none.
 */

#include "base/str.h"

enum line_class_origin {
	LINE_OF_TEXT,   /* of a file, or of what a command that looks shows */
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

/* The line without what a tool or a terminal put around it: blanks, the number in front, the
 * bar around it, escapes that colour it. A span of the line. */
struct str line_class_bare(struct str line);

/* The class of a bare line, and of one that is the whole of a text. */
enum line_class line_class_of(struct str bare, enum line_class_origin origin);
enum line_class line_class_of_whole(struct str bare, enum line_class_origin origin);

/* The line that names what went wrong: the line itself, or, where it is a verdict without a subject
 * ("FAIL", "Traceback (most recent call last):"), the line of rest, which follows it, that says
 * more: behind a traceback, the first one that is not indented. */
struct str line_class_cause(struct str line, struct str rest);

#endif
