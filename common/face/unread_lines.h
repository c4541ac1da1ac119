#ifndef FACE_UNREAD_LINES_H
#define FACE_UNREAD_LINES_H

/*
 * Names on standard error the lines, and parts of lines, that a reader of dialects did not
 * understand (dialects/unread.h): the first ones, or with -v all. Any such line sets the run's
 * status to 65, and the run no longer says which format its input looks like.
 */

#include "dialects/dialect.h"
#include "dialects/unread.h"
#include "face/sarif.h"

struct unread_lines {
	struct run *run;
	struct source *source; /* the run's source, or a second one beside it */
	uint64_t found;        /* lines, and parts of lines, so far */
	struct sarif *sarif;   /* gets all of them; or NULL */
};

/* Names the lines found since the last call, and empties the lists of both. */
void unread_lines_say(
    struct unread_lines *lines, struct dialect_reading *reading, struct unread *unread);

/* Call at the end: says how many were not named. */
void unread_lines_end(const struct unread_lines *lines);

#endif
