#ifndef CTX_ROUTE_LOG_H
#define CTX_ROUTE_LOG_H

/*
 * The log that --append continues and writes, which other programs may append to at the same time,
 * and which another file may replace. What the run emits is written batch by batch, and goes to
 * standard output when it is on the disk:
 *
 *     log_begin     locks the log, and recalls what it has gained
 *     ...           the stages take records, and the sink collects what they emit
 *     log_commit    appends that with one write, unlocks the log, writes to standard output
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

/* Returns false with the fault set, and the log unlocked, when it cannot be locked or read (66, 71,
 * 73, 74), or its last line is torn (65). */
bool log_begin(struct log *log);

/* Without a fault, a batch is on the disk and on standard output. With one, nothing of it is in the
 * log, unless standard output failed. */
void log_commit(struct log *log);

/* Ends the log: reports what its bad lines are, and sets the status of the run. */
void log_close(struct log *log);

#endif
