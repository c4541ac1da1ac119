#ifndef ARCHIVE_RESTORE_H
#define ARCHIVE_RESTORE_H

/*
 * A stage that puts back what an archive has of a stream. It holds the stream, and undoes one pass
 * after the other, the newest first, as long as an archived pass wrote the lines that the stream
 * begins with:
 *
 *     of pass 2 ...........  new lines           key of these lines -> pass 2
 *     of pass 1 .......  new lines  new lines    key of these lines -> pass 1
 *     as they were in the beginning
 *
 * A record that the archive lacks, or has with other bytes, has a key all the same, so that older
 * passes are found, and undone around it. The record that took its place then stays.
 *
 * Of a stream of many sessions one stage stands in front of all sessions, and undoes the passes of
 * the whole; those of the sessions undo what is left. They share what is known of the passes.
 *
 * Streams that differ in what their output does not show, such as the place of a budget record, may
 * have left the same lines (data/archive/undo_search.h). Where it cannot be told which of them it
 * was, the one that was archived last is written, and both passes are named.
 *
 * Where no pass fits any more, since something else changed the stream, each message that has a key
 * in metadata is put back for itself; what was dropped is not, and is named.
 *
 * Time: that of reading the streams that the passes read.
 */

#include "data/archive/undo.h"
#include "data/session/held.h"

enum restore_fault {
	RESTORE_MISSING,  /* the archive has no entry of that key */
	RESTORE_DAMAGED,  /* the entry does not match its key */
	RESTORE_UNPLACED, /* a list: where its records stood cannot be told */
	RESTORE_DOUBTFUL, /* a pass: another one fits as well, and gives another stream */
};

struct restore_finding {
	struct archive_key key;
	enum restore_fault fault;
	struct archive_key other; /* RESTORE_DOUBTFUL: the other pass */
};

struct restore {
	struct held held; /* first, so that it is a stage */
	struct candidates *passes;
	bool is_ahead;                   /* of all sessions */
	struct undo_whole whole;         /* then */
	uint64_t places;                 /* then: of the records that were emitted */
	uint32_t noted, noted_end;       /* the passes that were noted by this stage */
	struct restore_finding *finding; /* in the order of the stream */
	uint32_t finding_count, finding_cap;
	uint64_t undone; /* passes */
};

/* passes must live as long as the stage. The findings are those of the stream when it has ended. */
void restore_init(struct restore *restore, struct candidates *passes);

/* Makes the one in front of all sessions. key must live as long as the stage. */
void restore_init_ahead(struct restore *restore, struct candidates *passes,
    const struct session_key *key, bool is_sorted);

/* Adds to its findings the passes that could not be undone or told apart, when the sessions have
 * ended. */
void restore_end_ahead(struct restore *restore);

void restore_free(struct restore *restore);

#endif
