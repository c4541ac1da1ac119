#ifndef FILE_APPEND_H
#define FILE_APPEND_H

/*
 * Appending lines to a file that many programs share. The file is locked meanwhile (flock(2)), and
 * it is the one that has the name once the lock is there: ctx-compact -i puts another file in its
 * place. Between two locks the file stays open for reading alone, so that nobody who asks whether
 * it is being written to (stream/file/lease.h) is told so.
 *
 *     append_lock      waits for the lock; start is the size
 *     output_add(&append.out, ...)
 *     append_commit    the lines are on the disk, or the fault is set and none of them is in the
 *                      file, as far as the system lets it
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
	mode_t mode;     /* of a file that is created */
	int fd;          /* open for reading, from lock to lock; or -1 */
	unsigned opened; /* how many files have had the name, the present one included */
	bool is_named;   /* that the file has the name is on the disk */
	uint64_t start;  /* bytes of the file when it was locked, or after the last commit */
	struct output out;
	struct fault *fault;
};

/* Nothing is opened yet. path and fault must live until append_free. */
void append_init(struct append *append, const char *path, mode_t mode, struct fault *fault);

/* Waits for the lock of the regular file at path, which is created where there is none. Returns
 * false with the fault set, with status 73, when that fails; then it is not locked. */
bool append_lock(struct append *append);

/* Writes what was added to out to the disk. Sets the fault, with status 74, when that fails. */
void append_commit(struct append *append);

/* Takes all but the first size bytes out of the locked file, on the disk too. Returns false with
 * the fault set, with status 74, when that fails. */
bool append_cut(struct append *append, uint64_t size);

/* Lets the lock go. */
void append_unlock(struct append *append);

void append_free(struct append *append);

/* Opens and locks the file, which is created for its owner alone where there is none. Where a
 * program was killed while it wrote, its torn line is ended, and the new lines follow. Returns
 * false with the fault set, with status 73, when that fails. path must live until append_close. */
bool append_open(struct append *append, const char *path, struct fault *fault);

/* Writes the lines to the disk, and closes the file. Sets the fault, with status 74, when that
 * fails. */
void append_close(struct append *append);

#endif
