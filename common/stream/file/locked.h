#ifndef FILE_LOCKED_H
#define FILE_LOCKED_H

/*
 * A regular file that is locked with flock(2), as flock(1) does, and that still had its name when
 * the lock was taken. Programs that replace a file lock the new file before it gets the name. So a
 * program that has waited for the lock of the old file must check the name:
 *
 *     open, lock; does the name still lead to this file?  no: close, and start again
 */

#include <limits.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/fault.h"

enum { LOCKED_WAIT_MS = 1000 }; /* the longest wait for other programs */

struct locked {
	char path[PATH_MAX]; /* the directory and the name; a NUL replaces the slash between them */
	const char *name;    /* points into path: the name in the directory */
	int directory;       /* a descriptor */
	int fd;              /* open for reading only */
	struct stat st;      /* the state of the file when it was opened */
};

#define LOCKED_INIT \
	{ \
		.directory = -1, .fd = -1 \
	}

/*
 * Opens and locks the file at path, which may be a symbolic link when follows is set. Waits at most
 * LOCKED_WAIT_MS for the lock. Returns false with the fault set: status 66 when there is no such
 * file or it is a directory, 73 when it is a symbolic link or no regular file, 75 when another
 * program holds the lock. Call locked_close in all cases.
 */
bool locked_open(struct locked *file, const char *path, bool follows, struct fault *fault);

/* Whether name, in the directory of the file, leads to the file. */
bool locked_is(const struct locked *file, const char *name);

/* Whether a program waits for the lock, as far as the system shows this. */
bool locked_is_awaited(const struct locked *file);

/* Releases the lock; the file stays open. */
void locked_release(struct locked *file);

/* Waits before the next try. Set *start to 0 before the first call. Returns false when
 * LOCKED_WAIT_MS have passed since then. */
bool locked_wait(int64_t *start);

/* Closes the file, which releases the lock. */
void locked_close(struct locked *file);

#endif
