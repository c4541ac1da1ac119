#include "stream/process.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { READ_SIZE = 1 << 16 };

extern char **environ;

static bool
write_all(int fd, struct str bytes)
{
	while (bytes.len > 0) {
		ssize_t n = write(fd, bytes.ptr, bytes.len);

		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0)
			bytes = str_of(bytes.ptr + n, bytes.len - (size_t)n);
	}
	return lseek(fd, 0, SEEK_SET) == 0;
}

static bool
read_all(int fd, struct buf *output)
{
	for (;;) {
		ssize_t n = read(fd, buf_reserve(output, READ_SIZE), READ_SIZE);

		if (n == 0)
			return true;
		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0)
			output->len += (size_t)n;
	}
}

/* Starts the command between two descriptors; 0 or an error number. */
static int
start(const char *command, int from, int to, pid_t *pid)
{
	char *const argv[] = {(char[]){"sh"}, (char[]){"-c"}, (char *)command, NULL};
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error != 0)
		return error;
	error = posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO);
	if (error == 0)
		error = posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
	if (error == 0)
		error = posix_spawn(pid, "/bin/sh", &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

static int
run_between(const char *command, int from, struct buf *output)
{
	int pipes[2], status = -1, error;
	bool gathered;
	pid_t pid;

	if (pipe2(pipes, O_CLOEXEC) != 0)
		return -1;
	error = start(command, from, pipes[1], &pid);
	close(pipes[1]);
	gathered = error == 0 && read_all(pipes[0], output);
	close(pipes[0]);
	if (error != 0) {
		errno = error;
		return -1;
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return gathered ? status : -1;
}

int
process_run(const char *command, struct str input, struct buf *output)
{
	int from = memfd_create("input", MFD_CLOEXEC);
	int status;

	if (from < 0)
		return -1;
	status = write_all(from, input) ? run_between(command, from, output) : -1;
	close(from);
	return status;
}
