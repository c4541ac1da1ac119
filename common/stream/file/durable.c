#include "stream/file/durable.h"

#include <errno.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

void
durable_ignore_limit(void)
{
	signal(SIGXFSZ, SIG_IGN);
}

bool
durable_lock(int fd)
{
	int error;

	do
		error = flock(fd, LOCK_EX);
	while (error != 0 && errno == EINTR);
	return error == 0;
}

bool
durable_sync_directory(int fd)
{
	return fsync(fd) == 0 || errno == EINVAL;
}
