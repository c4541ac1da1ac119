#ifndef FILE_DURABLE_H
#define FILE_DURABLE_H

/*
 * Functions for writers of files that must have their bytes on the disk before they report success.
 */

#include <stdbool.h>

/* Ignores SIGXFSZ. After that, a file that would grow over a limit of the system makes write(2)
 * fail with EFBIG, and does not end the program. */
void durable_ignore_limit(void);

/* Locks the file with flock(2), and waits for the lock. Returns false with errno set when that
 * fails. */
bool durable_lock(int fd);

/* Writes a directory to the disk, and so the names of files that were just created or renamed. File
 * systems that cannot do this for a directory are no failure. Returns false with errno set when
 * writing fails. */
bool durable_sync_directory(int fd);

#endif
