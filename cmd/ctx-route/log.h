#ifndef CTX_ROUTE_LOG_H
#define CTX_ROUTE_LOG_H

/*
 * The log that --append continues and writes, which other programs may append to at the same time,
 * and which another file may replace. What the run emits is written batch by batch, and goes to
 * standard output when it is on the disk:
 *
 *     begin     locks the log, and recalls what it has gained
 *     ...       the stages take records, and the sink collects what they emit
 *     commit    appends that with one write, unlocks the log, writes to standard output
 *
 * Between two batches the log is not locked. A long log is read without the lock but for its end:
 * what stood in it once it was locked is never taken back. The rules see the log as it was when the
 * stream began; the routing sees all of it.
 *
 * Memory: one block of the log, and the batch.
 */

#include "face/run.h"
#include "opened_context.h"
#include "route_stage.h"
#include "metadata_rules.h"
#include "stream/file/append.h"

struct log {
	struct output_filter filter; /* of standard output */
	struct append append;
	struct source source; /* reads the log */
	struct run *run;
	struct opened_context *opening;
	struct metadata_rules *rules;
	struct route_stage *routing;
	bool has_begun;  /* the stream has */
	bool repairs;    /* a torn last line goes to the file torn */
	char *torn;      /* its name */
	uint64_t read;   /* so many bytes of the log were recalled */
	size_t lines;    /* and so many lines */
	unsigned opened; /* the number of the file that they are of */
	struct buf batch;
};

/* Checks the names of the files, and opens nothing yet. Ends the program with status 64 when the
 * log is another file of the run, too. path and run must live until log_close. */
void log_open(struct log *log, const char *path, bool repairs, struct run *run,
    struct opened_context *opening, struct metadata_rules *rules, struct route_stage *routing);

/* Takes all records through the stages, with a fault set when the log cannot be locked or read (66,
 * 71, 73, 74), or its last line is torn (65). Without one, all is on the disk and on standard
 * output; with one, nothing of the last batch is in the log, unless standard output failed. */
void log_run(struct log *log, struct stage *const *stages);

/* Ends the log: reports what its bad lines are, and sets the status of the run. */
void log_close(struct log *log);

/* Recalls the log at path, which is continued and not written: all of it, before the first byte is
 * written, since the output may be appended to it. What is appended to a line without an end would
 * be lost with that line: that sets the fault, with status 65. */
void log_read(const char *path, struct run *run, struct opened_context *opening,
    struct metadata_rules *rules, struct route_stage *routing);

#endif
