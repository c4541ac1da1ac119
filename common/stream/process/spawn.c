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

static int
set_attributes(posix_spawnattr_t *attributes, const struct signals *before, short flags)
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

int
spawn_program(pid_t *pid, const char *path, char *const *words, char *const *environment,
    const int *ends, const struct signals *before, short flags)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int error = posix_spawn_file_actions_init(&actions);

	if (error != 0)
		return error;
	error = posix_spawnattr_init(&attributes);
	if (error == 0) {
		error = set_attributes(&attributes, before, flags);
		for (int i = 0; i < 3 && error == 0; i++)
			if (ends[i] != i)
				error = posix_spawn_file_actions_adddup2(&actions, ends[i], i);
		if (error == 0)
			error = posix_spawn(pid, path, &actions, &attributes, words, environment);
		posix_spawnattr_destroy(&attributes);
	}
	posix_spawn_file_actions_destroy(&actions);
	return error;
}
