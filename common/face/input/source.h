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
 * With any_document, an operand whose first line that is not blank is an unfinished JSON value is
 * read as values over several lines. Each becomes one line, which is an added record without a
 * block, as soon as its last bracket is there. Where a value breaks, the lines are taken one by one
 * again: a torn line holds nothing back.
 *
 * With any_array, an operand that begins with an array whose first element holds a conversation
 * (chat_is_session) is read element by element. Each becomes an added record, too.
 */

#include "data/record.h"
#include "dialects/dialect.h"
#include "face/input/document.h"
#include "face/input/array.h"
#include "face/input/looks.h"

struct source_counts {
	uint64_t records; /* blank lines do not count */
	uint64_t messages;
	uint64_t contexts;
	uint64_t budgets;
	uint64_t foreign;
	uint64_t bad;
};

/* Records that a filter passes without understanding them, and that may be part of a session. */
enum source_odd {
	SOURCE_UNKNOWN, /* a message of an unknown shape (message_is_unknown) */
	SOURCE_MIXED,   /* beside messages: what has the sign of a dialect, and speaks */
	SOURCE_BLOCKS,  /* beside canonical messages: one that only another dialect has */
	SOURCE_ODDS,
};

struct source_oddity {
	uint64_t count;
	struct line line;  /* file and number of the first one's line */
	const char *looks; /* the dialect that it looks like, or NULL */
};

struct source {
	struct input in;
	struct message message;
	struct source_counts counts;
	uint64_t places;         /* records so far, blank ones and pieces of lines, too */
	const char *looks_like;  /* the dialect of the first foreign records, or NULL */
	uint64_t foreign_before; /* foreign records that were not asked for it */
	struct source_oddity odd[SOURCE_ODDS];
	bool has_canonical; /* a message is canonical and of no other dialect */
	bool reads_others;  /* the command reads other dialects, and says what it did not read */
	bool stops_at_bad;  /* the stream ends before the first bad line */
	bool stops_at_long; /* the same before one that comes in pieces */
	bool has_stopped;
	bool names_all;         /* reports every bad line, not only the first ones */
	bool any_document;      /* operands may be JSON values over several lines */
	unsigned operand_begun; /* the operand of the last record */
	bool reads_values;      /* the next record is a value over several lines */
	bool has_values;        /* the operand has one */
	struct document document;
	bool any_array;            /* operands may be arrays of conversations */
	bool any_dialect;          /* foreign records are expected */
	struct array array;        /* of such an array */
	unsigned operand_searched; /* the last operand that may have begun with one */
	struct buf unfolded;
	uint64_t folded;         /* records that stood over several lines */
	struct line folded_line; /* file and line number of the first of them */
	struct looks looks;      /* of an operand without a record that is read */
	const char *looks_file;
	uint64_t looks_before; /* messages before that operand */
	const char *named;     /* the file that has no messages, or NULL for all of the input */
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

/* Reports the odd records since then, if there are messages beside them. Returns whether there are
 * any. */
bool source_say_odd(const struct source *source, bool has_messages);

/* Begins to look anew for the dialect of foreign records: the next ones are another session's. */
void source_forget_looks(struct source *source);

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
