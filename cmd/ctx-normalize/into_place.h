#ifndef CTX_NORMALIZE_INTO_PLACE_H
#define CTX_NORMALIZE_INTO_PLACE_H

/*
 * --into with --in-place: the file that is written is the one that was read, replaced as other
 * files in place are (stream/file/replace.h). It is locked from the reading to the end, and is left
 * alone while a program has it open for writing or holds its lock, or Codex CLI that of the session
 * (writer_lock.h), and, since others open it anew for each record, for a minute after it was
 * written and after the time of its newest record, unless --min-age says otherwise. What is
 * appended meanwhile is carried over.
 */

#include "choices.h"
#include "stream/file/replace.h"

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

/* Whether the newest record of the text, the file's as lines, is old enough by its own time, or
 * none has one; into_place_open has asked the file's. Otherwise the fault is set, 75. Time is
 * linear. */
bool into_place_is_old(struct into_place *place, struct str text);

/* Replaces the content, of which old was read, by the new one. */
void into_place_write(struct into_place *place, struct str old, struct str new);

void into_place_close(struct into_place *place);

#endif
