#ifndef ARCHIVE_UNDO_H
#define ARCHIVE_UNDO_H

/*
 * The lines of a stream, and the archived passes that are undone on them. A line is the newest of
 * what stood in its place: where the archive cannot give it, what took its place is still there.
 *
 *     line    record of the archive -> record of the archive -> line of the stream
 *                                under                      under
 */

#include "base/arena.h"
#include "data/archive/undo_pass.h"
#include "data/archive/candidates.h"

struct undo_line {
	struct archive_key key;
	uint32_t entry; /* of the stream; NONE: from the archive */
	uint32_t item;  /* of the archive; NONE: the archive does not have it */
	uint32_t under; /* what took the place of this record, or NONE */
	struct str end; /* its line end */
	bool has_bom;
	bool is_budget;
};

/* How the lines of a stream are parted into sessions. */
struct undo_whole {
	const struct session_key *key;
	bool is_sorted; /* a blank or bad line is of the session that it stands in */
};

struct undo {
	struct candidates *passes;
	const struct undo_whole *whole; /* NULL: one session */
	const struct session *session;
	struct undo_line *all; /* in the order in which they were found */
	uint32_t all_count, all_cap;
	uint32_t *line; /* the stream as it is now: numbers in all */
	uint32_t count, cap;
	uint64_t undone; /* passes, each session by itself */
	struct arena arena;
};

/* Begins with the lines of the session, each of them as it was read. */
void undo_open(struct undo *undo, const struct session *session, struct candidates *passes);

/* Undoes the pass that the entry of the archive is, and whose output ends at the position end. The
 * passes of sessions that are parts of it are then done, too. Returns where its input ends. */
uint32_t undo_item(struct undo *undo, uint32_t item, uint32_t end);

void undo_close(struct undo *undo);

static inline const struct undo_line *
undo_get(const struct undo *undo, uint32_t position)
{
	return &undo->all[undo->line[position]];
}

#endif
