#ifndef FILE_LEASE_H
#define FILE_LEASE_H

/*
 * A lease on a file shows whether a program has the file open for writing. While the lease is held,
 * no program can open the file for writing: its open(2) waits. Linux has leases on local files, for
 * the owner of the file and for root.
 */

#include <stdbool.h>

enum lease {
	LEASE_HELD, /* nobody can write to the file */
	LEASE_BUSY, /* somebody has it open for writing */
	LEASE_NONE, /* there are no leases for this file */
};

/* Takes a lease on the file. fd must be open for reading only. */
enum lease lease_take(int fd);

/* Whether the lease that is held is still whole: no program waits to open the file for writing. */
bool lease_is_whole(int fd);

/* Releases the lease. Programs that wait in open(2) then open the file of fd, even if another file
 * has the name by now. */
void lease_release(int fd);

#endif
