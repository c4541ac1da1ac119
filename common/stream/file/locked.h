#ifndef FILE_LOCKED_H
#define FILE_LOCKED_H

/*
 * A regular file that is locked with flock(2), as flock(1) does, and still had its name when the
 * lock was there. Programs that replace a file lock the new one before it gets the name, so that
 * who waits for the lock of the old one looks again:
 *
 *     open, lock, is this still the file of that name?  no: close, from the start
 */

#include <limits.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/fault.h"

enum { LOCKED_WAIT_MS = 1000 }; /* how long it is waited for other programs */

struct locked {
	char path[PATH_MAX]; /* the directory, then the name; a slash less between them */
	const char *name;    /* in path: the name in the directory */
	int directory;
	int fd;         /* for reading alone */
	struct stat st; /* when it was opened */
};

#define LOCKED_INIT \
	{ \
		.directory = -1, .fd = -1 \
	}

/*
 * Opens and locks the file at path, which may be a symbolic link when follows is set. Waits a
 * second for the lock at most. Returns false with the fault set: 66 when there is no such file or
 * it is a directory, 73 when it is a symbolic link or no regular file, 75 when it is locked. Close
 * the file in any case.
 */
bool locked_open(struct locked *file, const char *path, bool follows, struct fault *fault);

/* Whether name, in the directory, is a name of the file. */
bool locked_is(const struct locked *file, const char *name);

/* Whether a program waits for the lock, as far as the system tells. */
bool locked_is_awaited(const struct locked *file);

/* Lets the lock go; the file stays open. */
void locked_release(struct locked *file);

/* Waits for the next try. Returns false when so much time has passed since start, which is 0 before
 * the first call. */
bool locked_wait(int64_t *start);

/* Closes the file, which lets the lock go. */
void locked_close(struct locked *file);

#endif
