#ifndef FACE_FILTER_H
#define FACE_FILTER_H

/*
 * What every command does around its policy: opens the operands and standard output, reads and
 * classifies records, reports bad lines and sends them where the options say, flushes before each
 * read that may block, counts, and at the end writes the report and yields the exit status.
 *
 *     filter_open(&f, &options.common, argv + first, argc - first);
 *     while (filter_next(&f))
 *             filter_pass(&f);                    f.line and f.message are the record
 *     return filter_close(&f);
 */

#include "base/diag.h"
#include "data/session.h"
#include "face/options.h"
#include "face/source.h"
#include "json/write.h"
#include "stream/output.h"

struct filter_counts {
	uint64_t messages; /* read */
	uint64_t written;  /* messages that left, changed ones included */
	uint64_t changed;
	uint64_t added;    /* records that the command made */
};

struct filter {
	const struct common_options *options;
	struct fault fault;
	struct source source;
	struct output out;
	struct output bad_out;
	struct line line;
	struct message message;
	struct filter_counts counts;
	struct buf report;        /* members that the command adds */
	struct json_writer report_writer;
	bool any_dialect;         /* foreign records are no surprise (ctx-normalize) */
	bool any_document;        /* an operand may be one JSON text over several lines */
	bool is_document;         /* the current record is such a one: raw and text are the JSON in
	                             one line, without its end */
	bool holds;
	struct block_list blocks; /* of held records */
	enum status status;
	void (*before_read)(void *context); /* instead of a flush, before a read that may block */
	void *context;
};

/* Opens operands (count of them) and outputs; dies with status 64, 66 or 73 when it cannot. */
void filter_open(struct filter *filter, const struct common_options *options,
    char *const *operand, int count);

/* The next record into filter->line and message; blank lines and bad ones included, the latter
 * reported already. False at the end. */
bool filter_next(struct filter *filter);

/* Writes the current record as it came (a bad one where the options send it). */
void filter_pass(struct filter *filter);

/* Writes the current record with new JSON text, which is copied. */
void filter_change(struct filter *filter, struct str text);

/* Writes a record that the command made; its text is copied. As the last record of the output it
 * ends as the input ended. */
void filter_add(struct filter *filter, struct str text);
void filter_add_last(struct filter *filter, struct str text);

/* Reads all records into session, which must be initialized, and finishes it. Dies with status
 * 64 when no execution has the id. */
void filter_hold(struct filter *filter, struct session *session, enum current current,
    const char *id);

/* Writes an entry of the session, which must live until filter_close. */
void filter_write_entry(struct filter *filter, const struct entry *entry);

/* Writes an entry whose bytes do not live that long: they are copied. */
void filter_write_copy(struct filter *filter, const struct entry *entry);

/* Makes the status at least as bad as status. */
void filter_fail(struct filter *filter, enum status status);

/* Where a command adds its members to the report. */
struct json_writer *filter_report(struct filter *filter);

/* Flushes and closes everything; returns the exit status. */
int filter_close(struct filter *filter);

/* --execution as all commands spell it: auto, last, none or an id. */
enum current filter_current(const char *argument);

#endif
