#ifndef FACE_JOINT_H
#define FACE_JOINT_H

/*
 * The joint behind a run: what its sink would write goes on, record by record, as it would be read
 * from a pipe. Records come out as lines, with the byte order mark and the line ends that a sink
 * gives them, and unedited. One that no stage has touched goes through as it is, in its block, and
 * with the message that was read from it.
 *
 *     source -> stages -> sink ===joint===> take
 */

#include "face/run.h"

struct joint {
	struct sink_onward onward;
	const struct run *from;
	/* Set by the owner: takes a record, which lives as one does that a source gives; and writes
	 * what was taken. */
	void (*take)(struct joint *joint, struct record *record);
	void (*flush)(struct joint *joint);
	bool has_begun;     /* a record has gone through */
	bool has_last;      /* there is a record without a line end, */
	struct record last; /* which the next record brings */
	/* Edited records are written one behind the other, so that they leave by reference. */
	struct block_pool *pool;
	struct block *block; /* or NULL */
	size_t used;
	struct message message; /* of the record at hand, when it was edited */
	struct buf long_record, whole, piece;
};

/* Puts the joint, which is zeros but for take and flush, behind the run, which is open, and has
 * taken no record. */
void joint_link(struct joint *joint, struct run *from);

/* Hands over what is still there, when the run has ended. */
void joint_end(struct joint *joint);

void joint_free(struct joint *joint);

#endif
