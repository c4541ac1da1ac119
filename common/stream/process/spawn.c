#include "stream/process/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int
spawn_pipe(int ends[2])
{
	if (pipe2(ends, O_CLOEXEC) != 0)
		return errno;
	for (int i = 0; i < 2; i++) {
		int high = fcntl(ends[i], F_DUPFD_CLOEXEC, 3), error = errno;

		close(ends[i]);
		ends[i] = high;
		if (high < 0) {
			close(ends[!i]);
			return error;
		}
	}
	return 0;
}

int
spawn_set_attributes(posix_spawnattr_t *attributes, const struct signals *before, short flags)
{
	sigset_t usual;
	int error;

	sigemptyset(&usual);
	if (before->pipe.sa_handler != SIG_IGN)
		sigaddset(&usual, SIGPIPE);
	error = posix_spawnattr_setsigdefault(attributes, &usual);
	if (error == 0)
		error = posix_spawnattr_setsigmask(attributes, &before->mask);
	if (error == 0)
		error = posix_spawnattr_setpgroup(attributes, 0);
	if (error == 0)
		error = posix_spawnattr_setflags(
		    attributes, (short)(flags | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK));
	return error;
}
