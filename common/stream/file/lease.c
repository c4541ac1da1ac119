#include "stream/file/lease.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>

enum lease
lease_take(int fd)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};

	sigaction(
	    /* the signal says that another program waits; it would end the program */
	    SIGIO, &ignore, NULL);
	if (fcntl(fd, F_SETLEASE, F_RDLCK) == 0)
		return LEASE_HELD;
	return errno == EAGAIN ? LEASE_BUSY : LEASE_NONE;
}

bool
lease_is_whole(int fd)
{
	return fcntl(fd, F_GETLEASE) == F_RDLCK;
}

void
lease_release(int fd)
{
	fcntl(fd, F_SETLEASE, F_UNLCK);
}
