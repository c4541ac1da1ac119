#ifndef ARCHIVE_UNDO_H
#define ARCHIVE_UNDO_H

/*
 * The lines of a stream while archived passes are undone on them. A line that is restored keeps a
 * link to the line that had replaced it. When the archive cannot give the restored record, that
 * line is written instead:
 *
 *     line    record of the archive -> record of the archive -> line of the stream
 *                                under                      under
 */

#include "base/arena.h"
#include "data/archive/candidates.h"

struct undo_line {
	struct archive_key key;
	uint32_t entry; /* the entry of the stream; NONE: the line is from the archive */
	uint32_t item;  /* the entry of the archive; NONE: the archive does not have the record */
	uint32_t under; /* the number in all of the line that had replaced this one, or NONE */
	struct str end; /* the line end */
	bool has_bom;
	bool is_budget;
};

/* How the lines of a stream belong to sessions. */
struct undo_whole {
	const struct session_key *key;
	bool is_sorted; /* a blank or bad line belongs to the session of the lines around it */
};

struct undo {
	struct candidates *passes;
	const struct undo_whole *whole; /* NULL: one session */
	const struct session *session;
	struct undo_line *all; /* in the order in which they were found */
	uint32_t all_count, all_cap;
	uint32_t *line; /* the stream as it is now: numbers in all */
	uint32_t count;
	uint64_t undone; /* the number of passes that were undone, counted for each session */
	struct arena arena;
};

/* Begins with the lines of the session, as they were read. session and passes must outlive undo. */
void undo_open(struct undo *undo, const struct session *session, struct candidates *passes);

/* Undoes the pass in that entry of the archive. The output of the pass ends at position end of the
 * stream. Passes of sessions that are parts of this pass are then done, too. Returns the position
 * at which the restored input of the pass ends. */
uint32_t undo_item(struct undo *undo, uint32_t item, uint32_t end);

void undo_close(struct undo *undo);

static inline const struct undo_line *
undo_get(const struct undo *undo, uint32_t position)
{
	return &undo->all[undo->line[position]];
}

#endif
