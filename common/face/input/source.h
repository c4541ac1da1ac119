#ifndef INPUT_SOURCE_H
#define INPUT_SOURCE_H

/*
 * The operands as records. The source splits lines, classifies and counts them, and reports bad
 * lines.
 *
 *     while (source_fill(&source))                  reads, and may block
 *             while (source_next(&source, &record)) records that are there already
 *                     ...
 *
 * Block and message of a record are set. The record lives until the next source_fill, or for as
 * long as its block is kept; its message lives until the next source_next.
 *
 * With values.is_used, values that are no lines are records, too (face/input/values.h).
 */

#include "data/record.h"
#include "face/input/looks.h"
#include "face/input/odd_records.h"
#include "face/input/values.h"

struct source_counts {
	uint64_t records; /* blank lines do not count */
	uint64_t messages;
	uint64_t contexts;
	uint64_t budgets;
	uint64_t foreign;
	uint64_t bad;
};

struct source {
	struct input in;
	struct input_passer passer; /* of in, which a command may replace: takes torn files */
	struct message message;
	bool notes_spans; /* a reader of another format will walk through the records */
	struct json_spans spans;
	struct source_counts counts;
	uint64_t places; /* records so far, blank ones and pieces of lines, too */
	struct odd_records odd;
	bool stops_at_bad;  /* the stream ends before the first bad line */
	bool stops_at_long; /* the same before one that comes in pieces */
	bool has_stopped;
	bool names_all;         /* reports every bad line, not only the first ones */
	bool still_grows;       /* a last line without its LF is not reported */
	unsigned operand_begun; /* the operand of the last record */
	struct values values;
	bool any_dialect;   /* foreign records are expected */
	struct looks looks; /* of an operand without a record that is read */
	const char *looks_file;
	uint64_t looks_before; /* messages before that operand */
	const char *named;     /* the file that has no messages, or NULL for all of the input */
	/* The options by which the command reads all formats and only looks; or NULL. */
	const char *only_looks;
	enum status status; /* 69: a packed file was not whole, and was named */
};

/* Opens count operands. Sets the fault, with status 66, when one of them cannot be read. */
void source_init(struct source *source, char *const *operand, unsigned count, struct fault *fault);

/* Opens a source that reads nothing: another part of the program feeds it. */
void source_init_fed(struct source *source, struct fault *fault);

/* Takes a record of another run, whose text is as it would be read, for the next one of the input:
 * counts, reads and numbers it. Returns false when the stream has ended before it. */
bool source_feed(struct source *source, struct record *record);

/* Reads on; call it when every record at hand has been taken. May block. Returns false at the end
 * and after a fault. */
bool source_fill(struct source *source);

/* Sets *record to the next record at hand. Blank and bad lines are records, too; a bad line has
 * been reported by then. Returns false when there is none. */
bool source_next(struct source *source, struct record *record);

/* Takes all records for nothing but what source_end says of them: no messages came otherwise. */
void source_tell(struct source *source);

/* Appends what the records look like that nobody read, and the command line that makes canonical
 * lines of them; a source that is fed says what one of standard input does. */
void source_write_looks(const struct source *source, const char *dialect, struct buf *text);

/* Reports that file, or NULL for all of the input, has no messages, and what its foreign records
 * look like: a dialect, or NULL. */
void source_say_nothing(const struct source *source, const char *dialect, const char *file);

/* Call at the end. Reports how many bad lines were not named. When there was no message, reports
 * what dialect the input may be of, unless any_dialect is set. Returns the status for the run. */
enum status source_end(const struct source *source);

/* Whether the input is of another format: there are messages of an unknown shape, or no messages
 * but other records. any_dialect as above. */
bool source_is_other(const struct source *source);

/* Frees the source. Records whose blocks are not kept are gone then. */
void source_free(struct source *source);

#endif
