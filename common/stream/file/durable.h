#ifndef FILE_DURABLE_H
#define FILE_DURABLE_H

/*
 * What writers of files share whose bytes must be on the disk, once they say so.
 */

#include <stdbool.h>

/* From now on a file that would grow over a limit of the system is an error of write(2), EFBIG, and
 * no signal that ends the program. */
void durable_ignore_limit(void);

/* Locks the file with flock(2), and waits for the lock. Returns false with errno set when that
 * fails. */
bool durable_lock(int fd);

/* Writes a directory to the disk, and with it the names of files that were just created or renamed.
 * Some file systems have no such thing of a directory, and none is wanted of them. Returns false
 * with errno set when that fails. */
bool durable_sync_directory(int fd);

#endif
