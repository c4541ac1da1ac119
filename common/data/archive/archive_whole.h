#ifndef ARCHIVE_ARCHIVE_WHOLE_H
#define ARCHIVE_ARCHIVE_WHOLE_H

/*
 * Makes the passes of a stream of many sessions (data/archive/archive_pass.h). A long stream gets
 * several passes, each with the edits since the pass before, so that memory holds only these edits.
 */

#include "data/archive/archive_pass.h"

struct archive_whole;

enum { ARCHIVE_WHOLE_LONG = 1 << 20 };

struct archive_whole *archive_whole_open(bool drops_bad);
void archive_whole_close(struct archive_whole *whole); /* may be NULL */

/* Adds the sessions whose records come next in the stream, interleaved. The passes of these
 * sessions have been written. */
void archive_whole_add(
    struct archive_whole *whole, const struct archive_pass *session, uint32_t count);

/* Whether the edits so far have ARCHIVE_WHOLE_LONG bytes of JSON or more. */
bool archive_whole_is_long(const struct archive_whole *whole);

/* Whether there is something to write: a session was changed since the last pass. */
bool archive_whole_is_changed(const struct archive_whole *whole);

/* Writes the pass of the stream up to here. */
void archive_whole_write(struct archive_whole *whole, struct output *out);

#endif
