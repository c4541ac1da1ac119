#ifndef PROFILE_PROFILE_LINES_H
#define PROFILE_PROFILE_LINES_H

/* The lines of a profile's text, and the words of a line. */

#include "base/buf.h"

enum { PROFILE_LINE = 1 << 16 }; /* bytes of one line */

/* What is wrong with a text. */
struct profile_line_error {
	struct buf message;
	size_t line;     /* from 1 */
	struct str text; /* the line */
	size_t at;       /* the byte of the line that is wrong */
};

struct profile_lines {
	struct str rest; /* of the text, after the line */
	struct str line;
	size_t number;   /* of the line, from 1 */
	size_t at;       /* how much of the line is taken */
	struct buf word; /* the last one, ended by a NUL */
	struct profile_line_error *error;
};

/* Takes the next line, without its end and a byte order mark. Returns false when there is none. */
bool profile_lines_next(struct profile_lines *lines);

/* Whether the line is text that a profile may have; sets the error. */
bool profile_lines_check(struct profile_lines *lines);

/* Skips blanks. Returns whether there were some. */
bool profile_lines_skip(struct profile_lines *lines);

/* Takes a word, and sets *is_there to whether there is one. Returns false with the error set when
 * the word is malformed, or when it is missing and expected, a phrase or NULL, is not NULL. */
bool profile_lines_word(struct profile_lines *lines, bool *is_there, const char *expected);

/* Whether the line has ended; otherwise sets the error, with that message. */
bool profile_lines_end(struct profile_lines *lines, const char *message);

/* Sets the place of the error to that byte of the line, for a message to come. */
void profile_lines_mark(struct profile_lines *lines, size_t at);

/* Sets the error at that byte of the line. Returns false. */
bool profile_lines_fail(struct profile_lines *lines, size_t at, const char *message);

#endif
