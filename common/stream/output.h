#ifndef STREAM_OUTPUT_H
#define STREAM_OUTPUT_H

/*
 * An output as a list of spans. Unchanged records are noted by reference and not copied. Spans that
 * are neighbours in memory are joined, and a flush writes all spans with writev(2). The owner of
 * the bytes (a block of the input, an arena) must keep them until the flush; output_keep keeps
 * their block, and output_copy notes a copy instead.
 *
 * A write that fails sets the fault, with status 74. When the reader of a pipe has closed it,
 * SIGPIPE ends the program; if SIGPIPE is ignored, the fault is set with status 141 and no text.
 * Nothing is written after a fault.
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/fault.h"
#include "stream/block.h"

enum { OUTPUT_SPANS = 512 };

/* Takes some of the bytes of an output before they are written, and chooses the descriptor for the
 * other bytes. */
struct output_filter {
	/* Returns the number of bytes that the filter has taken, from the first one on. When bytes
	 * are left, sets *fd to the descriptor for them. On failure sets the fault of the
	 * output. */
	size_t (*take)(
	    struct output_filter *filter, const struct iovec *span, unsigned count, int *fd);
};

struct output {
	int fd;
	struct output_filter *filter; /* or NULL; its owner owns fd, too */
	const char *name;             /* in diagnostics */
	struct iovec *span;           /* OUTPUT_SPANS of them, from the first byte on */
	unsigned count;
	bool open_line;     /* the last byte noted is not an LF */
	uint64_t bytes;     /* noted since output_init */
	struct buf scratch; /* bytes of output_copy, until the flush */
	struct block_list kept;
	struct fault *fault;
};

/* The output owns fd from here on. fd may be -1; then set out->fd before the first flush. A filter
 * must be set before the first flush, too. */
void output_init(struct output *out, int fd, const char *name, struct fault *fault);

/* Allocates the spans now. Otherwise output_add allocates them, which may be too late for a caller
 * whose output must not fail after an earlier step. */
void output_reserve(struct output *out);

/* Notes bytes that stay where they are until the next flush. */
void output_add(struct output *out, struct str bytes);

/* Notes bytes of the block, and keeps the block until the next flush. */
void output_keep(struct output *out, struct str bytes, struct block *block);

/* Notes a copy of bytes. */
void output_copy(struct output *out, struct str bytes);

/* Call before each record: notes an LF when the record before did not end with one. */
void output_begin_record(struct output *out);

/* Writes all spans. */
void output_flush(struct output *out);

/* Flushes and closes the output. Sets the fault when either fails. */
void output_close(struct output *out);

/* Frees the memory of an output that is not closed. */
void output_free(struct output *out);

#endif
