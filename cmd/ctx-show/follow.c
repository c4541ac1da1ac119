#include "follow.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"

/* What is shown of the file. */
struct followed {
	struct buf shown, now;
	bool is_shown; /* once at least */
};

/* Begins a process that shows the file. Returns its number, or 0 in the process itself; *fd reads
 * its output. */
static pid_t
begin(const struct followed *followed, int *fd)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) != 0 || (pid = fork()) < 0)
		diag_die(STATUS_OS, "cannot start a process: %s", strerror(errno));
	if (pid == 0) {
		dup2(ends[1], STDOUT_FILENO);
		/* What is wrong was said the first time. */
		if (followed->is_shown)
			dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
	}
	close(ends[1]);
	*fd = ends[0];
	return pid;
}

/* Writes the lines that are not those that were shown before. */
static void
write_new(struct followed *followed)
{
	struct str before = buf_str(&followed->shown), now = buf_str(&followed->now);
	size_t at = 0, line = 0;

	for (; at < before.len && at < now.len && before.ptr[at] == now.ptr[at]; at++)
		if (now.ptr[at] == '\n')
			line = at + 1;
	if (now.len > line && !file_write_all(STDOUT_FILENO, str_rest(now, line)))
		diag_die(STATUS_IO, "cannot write to standard output: %s", strerror(errno));
	buf_set(&followed->shown, now);
}

/* Shows the file once. Returns true in the process that does. */
static bool
show(struct followed *followed)
{
	int fd, status = 0, error;
	pid_t pid = begin(followed, &fd);

	if (pid == 0)
		return true;
	buf_reset(&followed->now);
	error = file_read_all(fd, SIZE_MAX, &followed->now);
	close(fd);
	waitpid(pid, &status, 0);
	if (!followed->is_shown && (!WIFEXITED(status) || WEXITSTATUS(status) > STATUS_DATA))
		exit(WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_OS);
	if (error == 0 && followed->now.len > 0)
		write_new(followed);
	followed->is_shown = true;
	return false;
}

/* Waits until the file is another one than that, or has changed. */
static void
wait_for_change(const char *path, const struct stat *before)
{
	const struct timespec pause = {0, 200000000};
	struct stat now;

	while (stat(path, &now) != 0 ||
	    (file_is_same(&now, before) && now.st_size == before->st_size &&
		now.st_mtim.tv_sec == before->st_mtim.tv_sec &&
		now.st_mtim.tv_nsec == before->st_mtim.tv_nsec))
		nanosleep(&pause, NULL);
}

void
follow(const char *path)
{
	struct followed followed = {.shown = BUF_INIT};
	struct stat st = {.st_size = -1};

	for (;;) {
		/* Before the file is read: lines appended meanwhile make it change again. */
		if (stat(path, &st) == 0 || !followed.is_shown)
			if (show(&followed))
				break;
		wait_for_change(path, &st);
	}
	buf_free(&followed.shown);
	buf_free(&followed.now);
}
