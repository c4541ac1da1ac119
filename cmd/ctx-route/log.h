#ifndef CTX_ROUTE_LOG_H
#define CTX_ROUTE_LOG_H

/*
 * The log that --append continues and writes. Other programs may append to it at the same time, and
 * another file may replace it. The output of the run is appended in batches; each batch goes to
 * standard output when it is on the disk:
 *
 *     begin     locks the log, and recalls the records added since
 *     ...       the stages take records, and the sink collects their output
 *     commit    appends these with one write, unlocks the log, writes to standard output
 *
 * Between two batches the log is not locked. A long log is read without the lock, except its end,
 * since content that was there under an earlier lock never changes. The rules see the log as it was
 * when the stream began; the routing sees all of it.
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
	bool has_begun;  /* the stream has begun */
	bool repairs;    /* a torn last line goes to the file torn */
	char *torn;      /* the name of that file */
	uint64_t read;   /* bytes of the log that were recalled */
	size_t lines;    /* lines of the log that were recalled */
	unsigned opened; /* the number of the file to which they belong */
	struct buf batch;
};

/* Checks the names of the files, and opens nothing yet. Ends the program with status 64 when the
 * log is also another file of the run. path and run must live until log_close. */
void log_open(struct log *log, const char *path, bool repairs, struct run *run,
    struct opened_context *opening, struct metadata_rules *rules, struct route_stage *routing);

/* Passes all records to the stages. Sets a fault when the log cannot be locked or read (66, 71, 73,
 * 74), or its last line is torn (65). Without a fault, everything is on the disk and on standard
 * output; with a fault, nothing of the last batch is in the log, unless standard output failed. */
void log_run(struct log *log, struct stage *const *stages);

/* Ends the log: reports its bad lines, and sets the status of the run. */
void log_close(struct log *log);

/* Recalls the log at path, which is continued but not written. All of it is read before the first
 * byte of output, since the output may be appended to it. A log whose last line has no end sets the
 * fault, with status 65: text appended to that line would be lost with the line. */
void log_read(const char *path, struct run *run, struct opened_context *opening,
    struct metadata_rules *rules, struct route_stage *routing);

#endif
