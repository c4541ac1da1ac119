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
 * Streams that differ in what their output does not show, such as the place of a budget record, may
 * have left the same lines (data/archive/undo_search.h). Where it cannot be told which of them it
 * was, the one that was archived last is written, and both passes are named.
 *
 * Where no pass fits any more, since something else changed the stream, each message that has a key
 * in metadata is put back for itself; what was dropped is not, and is named.
 *
 * Time: that of reading the streams that the passes read.
 */

#include "data/archive/archive_index.h"
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
	const struct archive_index *index;
	struct restore_finding *finding; /* in the order of the stream */
	uint32_t finding_count, finding_cap;
	uint64_t passes; /* undone */
};

/* index must live as long as the stage. The findings are those of the stream when it has ended. */
void restore_init(struct restore *restore, const struct archive_index *index);
void restore_free(struct restore *restore);

#endif
