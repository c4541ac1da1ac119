#ifndef FACE_JOINT_H
#define FACE_JOINT_H

/*
 * The joint after a run: it takes the place of a pipe between two commands in one process. Each
 * record that the run's sink would write is handed to take, as the next command would read it from
 * a pipe: as a line without pending edits, with the byte order mark and the line end that the sink
 * gives it. A record that no stage has touched is not copied: it keeps its block and the message
 * that was read from it.
 *
 *     source -> stages -> sink ===joint===> take
 */

#include "face/run.h"

struct joint {
	struct sink_onward onward;
	const struct run *from;
	/* Set by the owner. take gets each record, which lives as long as a record that a source
	 * gives. flush writes the records that were taken. */
	void (*take)(struct joint *joint, struct record *record);
	void (*flush)(struct joint *joint);
	bool has_begun;     /* a record has gone through */
	bool has_last;      /* last is a record without a line end */
	struct record last; /* waits for the next record, which ends its line */
	/* The text of edited records, one after another, so that they are written by reference. */
	struct block_pool *pool;
	struct block *block; /* or NULL */
	size_t used;
	struct message message; /* of the current record, when it was edited */
	struct buf long_record, whole, piece;
};

/* Links the joint after the open run, which has taken no record yet. The joint must be zeros except
 * take and flush. */
void joint_link(struct joint *joint, struct run *from);

/* Hands over the last record. Call it after the run has ended. */
void joint_end(struct joint *joint);

void joint_free(struct joint *joint);

#endif
