#ifndef STREAM_OUTPUT_H
#define STREAM_OUTPUT_H

/*
 * An output as a list of spans: what a filter passes on is not copied but noted by reference,
 * neighbouring spans join into one, and a flush writes them all with writev(2). The owner of the
 * bytes (a block of the input, an arena) must keep them until then; output_copy takes a copy.
 *
 * A write error sets the fault, of status 74; a reader that left sets it with status 141 and no text,
 * unless SIGPIPE ended the program before. Nothing is written after a fault.
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/fault.h"

enum { OUTPUT_SPANS = 512 };

struct output {
	int fd;
	const char *name;   /* for diagnostics */
	struct iovec span[OUTPUT_SPANS];
	unsigned count;
	bool open_line;     /* the last byte noted is not an LF */
	uint64_t bytes;     /* noted in all */
	struct buf scratch; /* bytes of output_copy, until the flush */
	struct fault *fault;
};

/* fd is the output's from here on; -1 is one that must not be written to before it has another. */
void output_init(struct output *out, int fd, const char *name, struct fault *fault);

/* Notes bytes that stay where they are until the next flush. */
void output_add(struct output *out, struct str bytes);

/* Notes a copy of bytes. */
void output_copy(struct output *out, struct str bytes);

/* Puts an LF where the last record lacks one, before the next begins. */
void output_begin_record(struct output *out);

/* Writes all that was noted. */
void output_flush(struct output *out);

/* The last act: flushes and closes, and sets the fault when any of it fails. */
void output_close(struct output *out);

#endif
