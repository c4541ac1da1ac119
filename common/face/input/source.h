#ifndef INPUT_SOURCE_H
#define INPUT_SOURCE_H

/*
 * Reads the operands, or standard input, as records. The source splits the input into lines, finds
 * the kind of each line, counts the lines of each kind, and reports bad lines.
 *
 *     while (source_fill(&source))                  reads, and may block
 *             while (source_next(&source, &record)) records that are there already
 *                     ...
 *
 * Each record has its block and its message. The bytes of a record live until the next source_fill,
 * or until its block is dropped if a stage keeps the block (stream/block.h). The message of a
 * record lives until the next source_next. The source owns both.
 *
 * With values.is_used, a JSON value over several lines, and an element of an array, are records,
 * too (face/input/values.h).
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
	struct input_passer passer; /* of in: passes over torn files; a command may replace it */
	struct message message;     /* the message of the last record */
	bool notes_spans; /* spans is set: a reader of another format will walk the records */
	struct json_spans spans; /* of the last record */
	struct source_counts counts;
	uint64_t places; /* records so far, also blank ones and pieces of long lines */
	struct odd_records odd;
	bool stops_at_bad;  /* the stream ends before the first bad line */
	bool stops_at_long; /* the stream ends before the first line that comes in pieces */
	bool has_stopped;
	bool names_all;         /* reports every bad line, not only the first ones */
	bool still_grows;       /* the file is being written: a last line without LF is no fault */
	unsigned operand_begun; /* the operand of the last record */
	struct values values;
	bool any_dialect;       /* foreign records are expected */
	struct looks looks;     /* the likely format of an operand of which no record was read */
	const char *looks_file; /* that operand */
	uint64_t looks_before;  /* messages before that operand */
	const char *named;      /* the file that has no messages, or NULL for all of the input */
	const char *piped;      /* the operands of this command at the end of a pipe; or NULL */
	/* The options with which this command only shows other formats; or NULL. */
	const char *only_looks;
	enum status status; /* 69: a packed file was incomplete, and a diagnostic named it */
};

/* Opens count operands, which must outlive the source. Sets the fault, with status 66, when one of
 * them cannot be read. */
void source_init(struct source *source, char *const *operand, unsigned count, struct fault *fault);

/* Opens a source that reads no file: another part of the program gives it records by
 * source_feed. */
void source_init_fed(struct source *source, struct fault *fault);

/* Gives the source a record that another part of the program wrote, as if it were the next line of
 * standard input: the record is numbered, parsed and counted. Returns false when the stream has
 * ended before this record. */
bool source_feed(struct source *source, struct record *record);

/* Reads more input. Call source_fill when source_next has returned false. May block. Returns false
 * at the end of the input and after a fault. */
bool source_fill(struct source *source);

/* Sets *record to the next record that was read already. Blank and bad lines are records, too; a
 * bad line has been reported by then. Returns false when source_fill must be called first. */
bool source_next(struct source *source, struct record *record);

/* Reads the rest of the input and drops its records, so that source_end can name the format that
 * the input looks like. For a run that got no messages. */
void source_drain(struct source *source);

/* Appends the name of the dialect that the foreign records look like, and the command line that
 * converts them into canonical records, for the operands of the source. */
void source_write_looks(const struct source *source, const char *dialect, struct buf *text);

/* Reports that file has no messages; NULL: that all of the input has none. dialect is the one that
 * the foreign records look like, which is reported too, or NULL. */
void source_report_empty(const struct source *source, const char *dialect, const char *file);

/* Call at the end of the input. Reports the number of bad lines that no diagnostic named. When the
 * input has no messages, reports the dialect that it looks like, unless any_dialect is set. Returns
 * the exit status for the input: 0, 65 or 69. */
enum status source_end(const struct source *source);

/* Whether the input has another format: it has messages of an unknown shape, or it has foreign
 * records and no messages. Always false with any_dialect. */
bool source_is_other(const struct source *source);

/* Frees the source, and all records of which no stage keeps the block. */
void source_free(struct source *source);

#endif
