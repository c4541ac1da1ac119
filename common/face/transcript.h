#ifndef FACE_TRANSCRIPT_H
#define FACE_TRANSCRIPT_H

/*
 * The stage before a command that only looks. It reads input of any format (dialects/table.h) and
 * emits canonical records. For a session file of an agent these are the records that ctx-normalize
 * would write. Messages, also those of an API, pass as they are.
 *
 *     source -> transcript [reader -> unread -> repair] -> session's stages
 *                                        \
 *                                         `--------------> of messages
 *
 * One reader reads all operands, as ctx-normalize does, or each operand has a reader of its own,
 * which transcript_end_operand ends. At the end, lines that were not understood are named if some
 * line was read. If none was, the source says which format the input looks like.
 */

#include "face/unread_lines.h"
#include "policy/normalize/repair.h"

struct transcript {
	struct stage stage;
	struct run *run;
	struct source *source;
	struct dialect_stage *reader; /* NULL: the operand has no record yet */
	struct dialect_reading reading;
	struct unread unread;
	struct stage fork; /* after unread: to the repair, or past it */
	struct repair repair;
	bool has_canonical; /* a canonical message of the operand passed as it came */
	uint64_t unnamed;   /* findings of unread that are not kept */
	struct unread_lines lines;
	struct tally counts;         /* of the readers, all together: not used here */
	struct source_counts before; /* of operands that have ended */
	uint64_t made;               /* messages of them */
	bool has_other;              /* an operand that has ended is of another format */
	/* An operand that ended has records, but none that is read. The caller who reads this
	 * resets it. */
	bool is_foreign;
};

/* Opens the stage after source, an open source: the run's, or a second one beside it. Sets the
 * source to read values over several lines. */
void transcript_init(struct transcript *transcript, struct run *run, struct source *source);

/* Ends the reader of the operand, which emits the records that it held. The next record gets a new
 * reader. Does nothing if no record came since the last call. */
void transcript_end_operand(struct transcript *transcript);

/* Frees the stage; one that is all zeros is valid. */
void transcript_free(struct transcript *transcript);

#endif
