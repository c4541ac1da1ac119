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

struct undo_line {
	struct archive_key key;
	uint32_t entry; /* of the stream; NONE: from the archive */
	uint32_t item;  /* of the archive; NONE: the archive does not have it */
	uint32_t under; /* what took the place of this record, or NONE */
	struct str end; /* its line end */
	bool has_bom;
	bool is_budget;
};

/* What is known of an entry of the archive. */
struct undo_mark {
	bool is_done;     /* the pass was undone */
	bool is_damaged;  /* the pass has no whole entry */
	bool fits_lines;  /* it was read, and fits wherever its lines are there */
	uint32_t instead; /* the pass that was undone when this one fitted as well, or NONE */
};

struct undo {
	const struct archive_index *index;
	const struct session *session;
	struct undo_line *all; /* in the order in which they were found */
	uint32_t all_count, all_cap;
	uint32_t *line; /* the stream as it is now: numbers in all */
	uint32_t count, cap;
	struct undo_mark *mark; /* by entry of the archive */
	uint64_t passes;        /* undone */
	struct arena arena;
};

/* Begins with the lines of the session, each of them as it was read. */
void undo_open(struct undo *undo, const struct session *session, const struct archive_index *index);

/* Undoes the pass that the entry of the archive is, and whose output ends at the position end.
 * Returns where its input ends. */
uint32_t undo_item(struct undo *undo, uint32_t item, uint32_t end);

void undo_close(struct undo *undo);

static inline const struct undo_line *
undo_get(const struct undo *undo, uint32_t position)
{
	return &undo->all[undo->line[position]];
}

/* Whether a budget record that the pass wrote is among its lines, which end at the position end, or
 * among the budget records right behind them. */
bool undo_has_wrote(const struct undo *undo, const struct undo_pass *pass, uint32_t end);

#endif
