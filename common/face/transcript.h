#ifndef FACE_TRANSCRIPT_H
#define FACE_TRANSCRIPT_H

/*
 * The stage in front of a command that only looks: it reads the input in whatever format it is
 * (dialects/table.h), and emits canonical records: of a session file of an agent those that
 * ctx-normalize would write. Messages pass as they are, those of an API, too.
 *
 *     source -> transcript [reader -> unread -> repair] -> session's stages
 *                                        \
 *                                         `--------------> of messages
 *
 * One reader reads all operands, as ctx-normalize does, or each operand has a reader of its own,
 * which transcript_end_operand ends. What was not understood is named at the end, where something
 * was read; where nothing was, the source says what the input looks like.
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
	struct stage fork; /* behind unread: to the repair, or past it */
	struct repair repair;
	bool has_canonical; /* a canonical message of the operand passed as it came */
	uint64_t unnamed;   /* findings of unread that are not kept */
	struct unread_lines lines;
	struct tally skipped, sealed, passed; /* of the readers; nobody asks for them */
	struct source_counts before;          /* of operands that have ended */
	uint64_t made;                        /* messages of them */
	bool has_other;                       /* an operand that has ended is of another format */
	/* An operand that ended has records, but none that is read; reset by who asks. */
	bool is_foreign;
};

/* Opens the stage behind source, which is open: that of the run, or a second one beside it. The
 * source is made to read values over several lines. */
void transcript_init(struct transcript *transcript, struct run *run, struct source *source);

/* Ends the reader of the operand: what it held leaves. The next record has another reader. Does
 * nothing where no record came since. */
void transcript_end_operand(struct transcript *transcript);

/* Frees the stage, also one that is zeros. */
void transcript_free(struct transcript *transcript);

#endif
