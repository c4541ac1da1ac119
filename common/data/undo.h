#ifndef DATA_UNDO_H
#define DATA_UNDO_H

/*
 * The lines of a stream, and the archived passes that are undone on them. A line is the newest of
 * what stood in its place: where the archive cannot give it, what took its place is still there.
 *
 *     line    record of the archive -> record of the archive -> line of the stream
 *                                under                      under
 */

#include "base/arena.h"
#include "data/archive_index.h"

struct undo_line {
	struct archive_key key;
	uint32_t entry; /* of the stream; NONE: from the archive */
	uint32_t item;  /* of the archive; NONE: the archive does not have it */
	uint32_t under; /* what took the place of this record, or NONE */
	struct str end; /* its line end */
	bool has_bom;
	bool is_budget;
};

struct undo {
	const struct archive_index *index;
	struct undo_line *all; /* in the order in which they were found */
	uint32_t all_count, all_cap;
	uint32_t *line; /* the stream as it is now: numbers in all */
	uint32_t count, cap;
	uint8_t *is_done; /* by entry of the archive: the pass was undone */
	uint64_t passes;  /* undone */
	struct arena arena;
};

/* Begins with the lines of the session, each of them as it was read. */
void undo_open(struct undo *undo, const struct session *session, const struct archive_index *index);

/* Undoes all passes that fit, the newest first. */
void undo_passes(struct undo *undo);

void undo_close(struct undo *undo);

#endif
