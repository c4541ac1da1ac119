#ifndef ARCHIVE_ARCHIVE_WHOLE_H
#define ARCHIVE_ARCHIVE_WHOLE_H

/*
 * What was done to a stream of many sessions (data/archive/archive_pass.h). The passes of a long
 * one follow each other, each with the edits since the one before, so that no more are held.
 */

#include "data/archive/archive_pass.h"

struct archive_whole;

enum { ARCHIVE_WHOLE_LONG = 1 << 20 };

struct archive_whole *archive_whole_open(bool drops_bad);
void archive_whole_close(struct archive_whole *whole); /* may be NULL */

/* Adds the sessions whose records come next in the stream, interleaved. They were written. */
void archive_whole_add(
    struct archive_whole *whole, const struct archive_pass *session, uint32_t count);

/* Whether the edits by now are so many bytes as JSON. */
bool archive_whole_is_long(const struct archive_whole *whole);

/* Whether there is something to write: a session was changed since the last pass. */
bool archive_whole_is_changed(const struct archive_whole *whole);

/* Writes the pass of the stream by now. */
void archive_whole_write(struct archive_whole *whole, struct output *out);

#endif
