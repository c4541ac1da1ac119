#ifndef CTX_NORMALIZE_INTO_PLACE_H
#define CTX_NORMALIZE_INTO_PLACE_H

/*
 * --into with --in-place: the file that was read is replaced, as other files in place are
 * (stream/file/replace.h). It is locked from the reading to the end. The run fails while a program
 * has the file open for writing or holds its lock, or Codex CLI holds the lock of the session
 * (writer_lock.h). As other agents open the file anew for each record, the run also fails for a
 * minute after the file was last written, and after the time of its newest record; --min-age sets
 * another time. Lines appended meanwhile are carried over.
 */

#include "choices.h"
#include "stream/file/replace.h"

/* --min-age without the option, in seconds. */
enum { INTO_AGE_MIN = 60 };

struct into_place {
	const char *path; /* NULL: nothing is open */
	struct replace_options how;
	int lock; /* of the session, or -1 */
	struct replace replace;
};

/* Locks the file of --into, and appends all its bytes to text. Returns false with the fault set.
 * Close the file in any case. */
bool into_place_open(
    struct into_place *place, const struct choices *choices, struct buf *text, struct fault *fault);

/* Whether the newest record of the text, which is the file's as lines, is old enough by its own
 * time, or no record has a time. (into_place_open checks the time of the file.) Otherwise sets the
 * fault, with status 75. Time is linear. */
bool into_place_is_old(struct into_place *place, struct str text);

/* The newest time of the record of the line, in ms since 1970, or -1. JSON_PADDING bytes must
 * follow it. */
int64_t into_place_time(struct str line);

/* Whether that time is so many seconds ago, or there is none. Otherwise the fault is set, 75. */
bool into_place_may_write(int64_t newest, uint64_t age, struct fault *fault);

/* Replaces the content old, as it was read, by new. */
void into_place_write(struct into_place *place, struct str old, struct str new);

void into_place_close(struct into_place *place);

#endif
