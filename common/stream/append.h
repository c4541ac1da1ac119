#ifndef STREAM_APPEND_H
#define STREAM_APPEND_H

/*
 * Appending lines to a file that many programs share. The file is locked meanwhile (flock(2)), and
 * what is in it is not read, but for its last byte: where a program was killed while it wrote, its
 * torn line is ended, and the new lines follow.
 *
 *     if (append_open(&append, path, fault)) {
 *             output_add(&append.out, ...);
 *             append_close(&append);
 *     }
 *
 * When append_close returns without a fault, the lines are on the disk. When it sets the fault,
 * what was written of them is taken out again, as far as the system lets it.
 */

#include "stream/output.h"

struct append {
	struct output out;
	uint64_t start; /* bytes of the file before */
};

/* Opens the regular file at path, or creates it, and waits for the lock. Returns false with the
 * fault set, with status 73, when that fails. path must live until append_close. */
bool append_open(struct append *append, const char *path, struct fault *fault);

/* Writes the lines to the disk, and closes the file. Sets the fault, with status 74, when that
 * fails. */
void append_close(struct append *append);

#endif
