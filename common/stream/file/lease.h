#ifndef FILE_LEASE_H
#define FILE_LEASE_H

/*
 * A lease on a file tells whether a program has the file open for writing, and lets no program open
 * it for writing while the lease is held: open(2) waits there. Linux has leases on local files, for
 * the owner of the file and for root.
 */

#include <stdbool.h>

enum lease {
	LEASE_HELD, /* nobody can write to the file */
	LEASE_BUSY, /* somebody has it open for writing */
	LEASE_NONE, /* there are no leases for this file */
};

/* Takes a lease on the file, which fd has open for reading alone. */
enum lease lease_take(int fd);

/* Whether the lease that is held is still whole: no program waits to open the file for writing. */
bool lease_is_whole(int fd);

/* Gives the lease back. Programs that wait open the file then: the one that fd has, whatever file
 * has the name by now. */
void lease_release(int fd);

#endif
