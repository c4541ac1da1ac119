#ifndef FACE_SOURCE_H
#define FACE_SOURCE_H

/*
 * The operands as records: splits lines, classifies them, counts them, and says which are bad.
 *
 *     while (source_fill(&source))                  reads, and may block
 *             while (source_next(&source, &record)) records that are there already
 *                     ...
 *
 * A record's block and message are set; it lives until the next source_fill, or as long as its block
 * is kept, and its message until the next source_next. A JSON document over several lines is a
 * record that was added, in one line and without a block.
 */

#include "data/record.h"
#include "dialects/dialect.h"

struct source_counts {
	uint64_t records; /* blank lines are none */
	uint64_t messages;
	uint64_t contexts;
	uint64_t budgets;
	uint64_t unknown; /* messages of an unknown shape (message_is_unknown) */
	uint64_t foreign;
	uint64_t bad;
};

struct source {
	struct input in;
	struct message message;
	struct source_counts counts;
	const char *looks_like;   /* what one of the first foreign records tells, or NULL */
	const char *unknown_looks; /* the same of the first message of an unknown shape, */
	struct line unknown_line; /* and where it stood: file and number */
	bool stops_at_bad;        /* the stream ends before the first bad line */
	bool has_stopped;
	bool names_all;           /* every bad line, not the first ones alone */
	bool any_document;        /* an operand may be one JSON text over several lines */
	unsigned operand_begun;   /* the operand that the last record is of */
	struct buf document;
};

/* Opens count operands; sets the fault, of status 66, when one cannot be read. */
void source_init(struct source *source, char *const *operand, unsigned count,
    struct fault *fault);

/* Reads on, once every record at hand was taken. May block. False at the end and after a fault. */
bool source_fill(struct source *source);

/* The next record at hand: blank lines and bad ones included, the latter reported already. False
 * when there is none. */
bool source_next(struct source *source, struct record *record);

/* At the end: says how many bad lines were not named, and what input without a message may be unless
 * any dialect was welcome. Returns the status that this asks for. */
enum status source_end(const struct source *source, bool any_dialect);

/* Ends the lives of all records whose blocks are not kept. */
void source_free(struct source *source);

#endif
