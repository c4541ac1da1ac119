#ifndef ARCHIVE_RESTORE_H
#define ARCHIVE_RESTORE_H

/*
 * A stage that restores the records of a stream from an archive. It holds the stream. It undoes one
 * pass after another, the newest first, until no archived pass wrote the first lines of the stream:
 *
 *     lines of pass 2 .....  new lines           key of these lines -> pass 2
 *     lines of pass 1 .  new lines  new lines    key of these lines -> pass 1
 *     the original lines
 *
 * When the archive lacks a record, or has it with other bytes, the record that replaced it stays in
 * the stream. Older passes are still found and undone, since the key of the lost record is known.
 *
 * For a stream of many sessions, one stage comes before all sessions, and undoes the passes of the
 * whole stream. The stages of the sessions then undo the passes that are left. All of them share
 * one struct candidates.
 *
 * Two different inputs may have led to the same lines of output: an example is two inputs that
 * differ only in the place of a budget record (data/archive/undo_search.h). When the stage cannot
 * know which input it was, it writes the one that was archived last, and both passes are reported.
 *
 * When no pass fits, since something else changed the stream, each message that has a key in
 * metadata is restored by itself. Dropped records are not restored then, and this is reported.
 *
 * The time is that of reading the streams that the passes read.
 */

#include "data/archive/undo.h"
#include "data/session/held.h"

enum restore_fault {
	RESTORE_MISSING,  /* the archive has no entry with that key */
	RESTORE_DAMAGED,  /* the entry does not match its key */
	RESTORE_UNPLACED, /* a list: the places of its records are not known */
	RESTORE_DOUBTFUL, /* a pass: another pass fits too, and leads to another stream */
};

struct restore_finding {
	struct archive_key key;
	enum restore_fault fault;
	struct archive_key other; /* RESTORE_DOUBTFUL: the other pass */
};

struct restore {
	struct held held; /* first, so that it is a stage */
	struct candidates *passes;
	bool is_ahead;                   /* the stage comes before all sessions */
	struct undo_whole whole;         /* for is_ahead */
	uint64_t places;                 /* for is_ahead: the number of records emitted so far */
	uint32_t noted, noted_end;       /* the passes that were noted by this stage */
	struct restore_finding *finding; /* in the order of the stream */
	uint32_t finding_count, finding_cap;
	uint64_t undone;   /* the number of passes that were undone */
	bool has_restored; /* a record was put back, by a pass or by its own key */
};

/* passes must live as long as the stage. The findings are complete when the stream has ended. */
void restore_init(struct restore *restore, struct candidates *passes);

/* Makes the stage that comes before all sessions. key must live as long as the stage. */
void restore_init_ahead(struct restore *restore, struct candidates *passes,
    const struct session_key *key, bool is_sorted);

/* Call when the sessions have ended. Adds findings for the passes that could not be undone, and for
 * those of which another fitted as well. */
void restore_end_ahead(struct restore *restore);

void restore_free(struct restore *restore);

#endif
