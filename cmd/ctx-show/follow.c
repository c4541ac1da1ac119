#include "follow.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include "base/diag.h"
#include "base/file.h"
#include "face/terminal/progress.h"

/* Bytes in the pipe that no text has. */
enum {
	MARK_HELD = '\0', /* what the shower writes comes after this byte … */
	MARK_ALL = '\1'   /* … and before this one: this is the whole list for now */
};

/* What is shown of the file. */
struct followed {
	struct buf shown, now;
	size_t certain;  /* bytes of now that the reader wrote, before the last MARK_HELD */
	bool has_waited; /* the reader wrote a MARK_HELD */
};

/* So many bytes before the end of what was read show that the file was appended to since. */
enum { TAIL = 4096 };

struct tail {
	char bytes[TAIL];
	ssize_t len;
};

static pid_t
begin_process(const struct follow *follower)
{
	pid_t pid = fork();

	if (pid < 0)
		diag_die(STATUS_OS, "cannot start a process: %s", strerror(errno));
	/* What is wrong was said the first time. */
	if (pid == 0 && follower->is_shown)
		dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
	return pid;
}

/* Begins a reader. Returns its number, or 0 in the reader itself; *fd reads its output. */
static pid_t
begin_reader(const struct follow *follower, int *fd)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) != 0)
		diag_die(STATUS_OS, "cannot start a process: %s", strerror(errno));
	pid = begin_process(follower);
	if (pid == 0) {
		/* Else nobody tells it that the follower is gone. */
		close(ends[0]);
		dup2(ends[1], STDOUT_FILENO);
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
	if (now.len > 0)
		buf_set(&followed->shown, now);
}

/* Takes what the reader and its showers have written. */
static void
take(struct follow *follower, struct followed *followed, struct str bytes)
{
	for (size_t i = 0, len; i < bytes.len; i += len + 1) {
		for (len = 0; i + len < bytes.len; len++)
			if (bytes.ptr[i + len] == MARK_HELD || bytes.ptr[i + len] == MARK_ALL)
				break;
		buf_add_str(&followed->now, str_of(bytes.ptr + i, len));
		if (i + len == bytes.len)
			return;
		if (bytes.ptr[i + len] == MARK_HELD) {
			followed->certain = followed->now.len;
			followed->has_waited = true;
			continue;
		}
		write_new(followed);
		followed->now.len = followed->certain;
		follower->is_shown = true;
	}
}

/* Shows the file by a reader, as long as it reads on. Returns true in the reader. */
static bool
show(struct follow *follower, struct followed *followed)
{
	struct buf bytes = BUF_INIT;
	int fd, status = 0;
	pid_t pid = begin_reader(follower, &fd);

	if (pid == 0)
		return true;
	buf_reset(&followed->now);
	followed->has_waited = false;
	for (buf_reset(&bytes); file_read_some(fd, &bytes) > 0; buf_reset(&bytes))
		take(follower, followed, buf_str(&bytes));
	close(fd);
	buf_free(&bytes);
	waitpid(pid, &status, 0);
	if (!follower->is_shown && (!WIFEXITED(status) || WEXITSTATUS(status) > STATUS_DATA))
		exit(WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_OS);
	if (!followed->has_waited)
		write_new(followed);
	follower->is_shown = true;
	return false;
}

/* Whether the file at path is another one than that, or has changed. */
static bool
has_changed(const char *path, const struct stat *before)
{
	struct stat now;

	return stat(path, &now) == 0 &&
	    !(file_is_same(&now, before) && now.st_size == before->st_size &&
		now.st_mtim.tv_sec == before->st_mtim.tv_sec &&
		now.st_mtim.tv_nsec == before->st_mtim.tv_nsec);
}

static void
pause_for_change(void)
{
	const struct timespec pause = {0, 200000000};

	nanosleep(&pause, NULL);
}

void
follow(struct follow *follower, const char *path)
{
	struct followed followed = {.shown = BUF_INIT};
	struct stat st = {.st_size = -1};

	/* Its status is asked for, and lost where the signal is ignored. */
	signal(SIGCHLD, SIG_DFL);
	follower->pid = getpid();
	for (;;) {
		/* Before the file is read: lines appended meanwhile make it change again. */
		if (stat(path, &st) == 0 || !follower->is_shown)
			if (show(follower, &followed))
				break;
		while (!has_changed(path, &st))
			pause_for_change();
	}
	buf_free(&followed.shown);
	buf_free(&followed.now);
}

static void
write_mark(char mark)
{
	if (!file_write_all(STDOUT_FILENO, str_of(&mark, 1)))
		_exit(STATUS_IO);
}

static void
read_tail(const struct input *in, struct tail *tail)
{
	uint64_t len = in->bytes < TAIL ? in->bytes : TAIL;

	tail->len = file_read_at(in->fd, tail->bytes, (size_t)len, in->bytes - len);
}

/* Waits until the file, which was in that state and had that tail, has more bytes. Ends the reader
 * when the file was written anew, or the follower is gone. */
static void
wait_for_more(struct follow *follower, const struct input *in, const struct stat *before,
    const struct tail *was)
{
	struct tail is;
	struct stat now;

	while (!has_changed(in->file, before))
		if (getppid() == follower->pid)
			pause_for_change();
		else
			_exit(STATUS_OK);
	read_tail(in, &is);
	if (stat(in->file, &now) != 0 || !file_is_same(&now, before) ||
	    now.st_size <= before->st_size || is.len < 0 || is.len != was->len ||
	    memcmp(is.bytes, was->bytes, (size_t)is.len) != 0)
		_exit(STATUS_OK);
}

static bool
read_on(struct input_waiter *waiter, const struct input *in)
{
	struct follow *follower = (struct follow *)waiter;
	struct tail tail;
	struct stat st;
	int status = 0;
	pid_t pid;

	if (fstat(in->fd, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	if ((uint64_t)st.st_size > in->bytes)
		return true;
	if ((uint64_t)st.st_size < in->bytes)
		_exit(STATUS_OK); /* it was cut off meanwhile */
	read_tail(in, &tail);
	progress_end();
	write_mark(MARK_HELD);
	pid = begin_process(follower);
	if (pid == 0)
		return false;
	if (waitpid(pid, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) > STATUS_DATA)
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_OS);
	write_mark(MARK_ALL);
	follower->is_shown = true;
	wait_for_more(follower, in, &st, &tail);
	return true;
}

void
follow_read_on(struct follow *follower, struct input *in)
{
	follower->waiter.wait = read_on;
	if (in->operand_count == 1)
		in->waiter = &follower->waiter;
}
