#include "stream/process/unzstd.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "stream/process/spawn.h"

extern char **environ;

static int
is_due(int fd)
{
	char start[sizeof UNZSTD_MAGIC - 1];
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) != 0)
		return -1;
	if (!S_ISREG(st.st_mode))
		return 0;
	n = file_read_at(fd, start, sizeof start, 0);
	return n < 0 ? -1 : str_eq(str_of(start, (size_t)n), STR(UNZSTD_MAGIC));
}

/* Starts zstd between the two descriptors. Returns 0, or an error number. */
static int
spawn(int from, int to, pid_t *pid)
{
	char *const argv[] = {(char[]){"zstd"}, (char[]){"-dcq"}, NULL};
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error != 0)
		return error;
	error = posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO);
	if (error == 0)
		error = posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
	if (error == 0)
		error = posix_spawn_file_actions_addopen(
		    &actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (error == 0)
		error = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

static int
open_packed(int fd, const char *file, pid_t *pid, struct fault *fault)
{
	int ends[2], error = spawn_pipe(ends);

	if (error == 0) {
		signal(SIGCHLD, SIG_DFL); /* if it is ignored, no process is waited for */
		error = spawn(fd, ends[1], pid);
		close(ends[1]);
		if (error != 0)
			close(ends[0]);
	}
	close(fd);
	if (error == 0)
		return ends[0];
	errno = error;
	fault_set_error(fault, STATUS_UNAVAILABLE, "cannot read '%s': cannot run 'zstd'", file);
	return -1;
}

static bool
close_packed(pid_t pid, const char *file, bool was_read, struct fault *fault)
{
	int status = 0;
	pid_t ended;

	do
		ended = waitpid(pid, &status, 0);
	while (ended < 0 && errno == EINTR);
	return !was_read || (ended == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
	    fault_set(fault, STATUS_UNAVAILABLE, "cannot read '%s': zstd -dc failed", file);
}

const struct input_unpacker unzstd = {is_due, open_packed, close_packed};
