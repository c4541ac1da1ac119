#ifndef FILE_APPEND_H
#define FILE_APPEND_H

/*
 * Appends lines to a file that many programs share. The file is locked with flock(2) while lines
 * are appended. Another program may replace the file, as ctx-compact -i does. So after the lock is
 * taken, the name of the file is checked, and the new file is locked instead if needed. Between two
 * locks the file stays open for reading only. Then another program that takes a lease on the file
 * (stream/file/lease.h) does not find a writer.
 *
 *     append_lock      waits for the lock; start is the size
 *     output_add(&append.out, ...)
 *     append_commit    the lines are on the disk; or the fault is set and they are removed from
 *                      the file again, if the system allows it
 *     append_unlock    others may append
 *
 * For lines that are appended once:
 *
 *     if (append_open(&append, path, fault)) {
 *             output_add(&append.out, ...);
 *             append_close(&append);
 *     }
 */

#include <sys/types.h>

#include "stream/output.h"

struct append {
	const char *path;
	mode_t mode;     /* the mode of a file that is created */
	int fd;          /* open for reading, also between two locks; or -1 */
	unsigned opened; /* the number of files that have had the name, with the present one */
	bool is_named;   /* the directory, with the name of the file, is on the disk */
	uint64_t start;  /* the size of the file when it was locked, or after the last commit */
	struct output out;
	struct fault *fault;
};

/* Opens nothing yet. path and fault must live until append_free. */
void append_init(struct append *append, const char *path, mode_t mode, struct fault *fault);

/* Waits for the lock of the regular file at path, and creates the file if there is none. Returns
 * false with the fault set, with status 73, when that fails; then the file is not locked. */
bool append_lock(struct append *append);

/* Writes the bytes that were added to out to the disk. Sets the fault, with status 74, when that
 * fails. */
void append_commit(struct append *append);

/* Cuts the locked file to its first size bytes, and writes this to the disk. Returns false with the
 * fault set, with status 74, when that fails. */
bool append_cut(struct append *append, uint64_t size);

/* Releases the lock. */
void append_unlock(struct append *append);

void append_free(struct append *append);

/* Opens and locks the file. When there is none, creates it with access for its owner only. When the
 * last line has no line end, since a program was killed while it wrote, ends that line first.
 * Returns false with the fault set, with status 73, when that fails. path must live until
 * append_close. */
bool append_open(struct append *append, const char *path, struct fault *fault);

/* Writes the lines to the disk, and closes the file. Sets the fault, with status 74, when writing
 * fails. */
void append_close(struct append *append);

#endif
