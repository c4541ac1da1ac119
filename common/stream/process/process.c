#include "stream/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/text/utf8.h"
#include "stream/process/process_group.h"
#include "stream/process/spawn.h"

enum {
	ERRORS_KEPT = 4096, /* bytes kept of standard error, the last ones */
	LOOK_TICK = 20,     /* ms between looks at the shell where the kernel has no pidfd_open */
};

/* The places of a run's descriptors in its list; a closed one is -1. */
enum { TO_INPUT, FROM_OUTPUT, FROM_ERRORS, SHELL, POLL_COUNT };

struct running_process {
	const struct process *process;
	struct fault *fault;
	struct signals before;
	struct process_group group;
	struct pollfd poll[POLL_COUNT];
	size_t written; /* bytes of the input */
	struct buf *output;
	size_t output_start;
	struct buf errors;
	int64_t started; /* the time in ms */
	int64_t moved;   /* the time in ms when bytes were last read or written */
	bool is_late;
	int read_error; /* why the output cannot be read to its end, or 0 */
};

static void
close_end(struct running_process *run, int which)
{
	if (run->poll[which].fd >= 0)
		close(run->poll[which].fd);
	run->poll[which].fd = -1;
}

/* Makes a pipe. Our end does not block; the other end is the command's. */
static int
make_pipe(struct running_process *run, int which, int *theirs)
{
	int pipes[2], ours = which == TO_INPUT, error = spawn_pipe(pipes);

	if (error != 0)
		return error;
	run->poll[which] = (struct pollfd){pipes[ours], ours ? POLLOUT : POLLIN, 0};
	*theirs = pipes[!ours];
	return fcntl(pipes[ours], F_SETFL, O_NONBLOCK) == 0 ? 0 : errno;
}

/* A descriptor that becomes readable when the shell ends; -1 where the kernel cannot make one. */
static int
open_shell(pid_t pid)
{
#ifdef SYS_pidfd_open
	return (int)syscall(SYS_pidfd_open, pid, 0);
#else
	(void)pid;
	return -1;
#endif
}

/* Starts the shell and opens the pipes to it. Returns 0, or an error number. */
static int
start(struct running_process *run)
{
	int ends[3] = {-1, -1, -1}, error = 0;

	for (int i = 0; i < 3 && error == 0; i++)
		error = make_pipe(run, i, &ends[i]);
	if (error == 0)
		error = process_group_start(&run->group, run->process->command,
		    run->process->variables, ends, &run->before);
	for (int i = 0; i < 3; i++)
		if (ends[i] >= 0)
			close(ends[i]);
	if (error == 0)
		run->poll[SHELL] = (struct pollfd){open_shell(run->group.pid), POLLIN, 0};
	return error;
}

/* Returns false with the fault set when the input cannot be written though somebody reads it. */
static bool
write_input(struct running_process *run)
{
	struct str input = run->process->input;
	ssize_t n = 0;

	while (run->written < input.len && n >= 0) {
		n = write(
		    run->poll[TO_INPUT].fd, input.ptr + run->written, input.len - run->written);
		if (n > 0) {
			run->written += (size_t)n;
			run->moved = clock_ms();
		}
	}
	if (run->written == input.len || errno == EPIPE)
		/* everything is written, or there is no reader any more */
		close_end(run, TO_INPUT);
	else if (errno != EAGAIN && errno != EINTR)
		return fault_set(run->fault, STATUS_UNAVAILABLE, "cannot write to '%s': %s",
		    run->process->command, strerror(errno));
	return true;
}

/* Reads the bytes that are there, and closes the descriptor at its end. Returns whether bytes
 * came. */
static bool
read_some(struct running_process *run, int which, struct buf *buf)
{
	ssize_t n = file_read_some(run->poll[which].fd, buf);

	if (n > 0) {
		run->moved = clock_ms();
	} else if (n == 0 || errno != EAGAIN) {
		if (n < 0 && which == FROM_OUTPUT)
			run->read_error = errno;
		close_end(run, which);
	}
	return n > 0;
}

/* Reads standard output. Returns false when that fails, and when there is more than output_max.
 * What is dropped is read once: a command that writes for ever must not keep the run from its other
 * descriptors. */
static bool
read_output(struct running_process *run)
{
	if (run->process->drops_output) {
		read_some(run, FROM_OUTPUT, run->output);
		run->output->len = run->output_start;
		return true;
	}
	while (read_some(run, FROM_OUTPUT, run->output) &&
	    run->output->len - run->output_start <= run->process->output_max)
		continue;
	if (run->read_error != 0)
		return fault_set(run->fault, STATUS_UNAVAILABLE, "cannot read from '%s': %s",
		    run->process->command, strerror(run->read_error));
	if (run->output->len - run->output_start <= run->process->output_max)
		return true;
	return fault_set(run->fault, STATUS_UNAVAILABLE, "'%s' wrote more than %ju bytes",
	    run->process->command, (uintmax_t)run->process->output_max);
}

/* Reads standard error once. A command that writes errors for ever must not keep the run from its
 * other descriptors, so there is no second read in one call. */
static void
read_errors(struct running_process *run)
{
	struct buf *errors = &run->errors;

	if (read_some(run, FROM_ERRORS, errors) && errors->len > ERRORS_KEPT) {
		memmove(errors->ptr, errors->ptr + errors->len - ERRORS_KEPT, ERRORS_KEPT);
		errors->len = ERRORS_KEPT;
	}
}

/* The milliseconds that are left of so many seconds since then: 0 when they are over, UINT64_MAX
 * without a limit. */
static uint64_t
time_left(uint64_t seconds, int64_t then)
{
	uint64_t since = (uint64_t)(clock_ms() - then);

	if (seconds == 0 || seconds > UINT64_MAX / 1000)
		return UINT64_MAX;
	return seconds * 1000 > since ? seconds * 1000 - since : 0;
}

static bool
fail_late(struct running_process *run, const char *what, uint64_t seconds)
{
	run->is_late = true;
	return fault_set(run->fault, STATUS_UNAVAILABLE, "'%s' %s %ju second%s",
	    run->process->command, what, (uintmax_t)seconds, seconds == 1 ? "" : "s");
}

/* Waits until a descriptor is ready. Returns false with the fault set when that takes too long, and
 * when a signal came. */
static bool
wait_for_work(struct running_process *run)
{
	const struct process *process = run->process;
	uint64_t left = time_left(process->timeout, run->moved);
	uint64_t all = time_left(process->deadline, run->started);
	struct timespec time;

	if (all == 0)
		return fail_late(run, "was not done after", process->deadline);
	if (left == 0)
		return fail_late(run, "gave no answer for", process->timeout);
	left = left < all ? left : all;
	if (run->poll[SHELL].fd < 0 && left > LOOK_TICK)
		left = LOOK_TICK;
	if (left > 1000000)
		left = 1000000; /* fits every time_t; afterwards the loop waits again */
	time = (struct timespec){(time_t)(left / 1000), (long)(left % 1000) * 1000000};
	for (int i = 0; i < POLL_COUNT; i++)
		run->poll[i].revents = 0;
	ppoll(run->poll, POLL_COUNT, &time, &run->before.mask);
	return signals_came() == 0 ||
	    fault_set(
		run->fault, STATUS_UNAVAILABLE, "'%s' was interrupted", run->process->command);
}

/* Writes and reads until the shell has ended. All that the shell wrote is in the pipes by then, and
 * the last round reads it. */
static bool
converse(struct running_process *run)
{
	bool ended = false;

	while (!ended) {
		if (!wait_for_work(run))
			return false;
		ended = process_group_has_ended(&run->group);
		if (run->poll[TO_INPUT].fd >= 0 && run->poll[TO_INPUT].revents && !ended &&
		    !write_input(run))
			return false;
		if (run->poll[FROM_OUTPUT].fd >= 0 && (run->poll[FROM_OUTPUT].revents || ended) &&
		    !read_output(run))
			return false;
		if (run->poll[FROM_ERRORS].fd >= 0 && (run->poll[FROM_ERRORS].revents || ended))
			read_errors(run);
	}
	return true;
}

/* The last line of standard error that is not blank, as ": LINE"; empty when there is none. */
static struct str
last_words(struct running_process *run)
{
	struct str line = str_trim(buf_str(&run->errors));

	line = str_trim(str_behind_last(line, '\n'));
	return line.len > PROCESS_LINE ? str_of(line.ptr, PROCESS_LINE) : line;
}

static bool
check_status(struct running_process *run)
{
	const char *command = run->process->command;
	int status = run->group.status;
	struct str words = last_words(run);
	const char *mark = words.len > 0 ? ": " : "";

	if (run->group.lost || !run->group.reaped)
		return fault_set(
		    run->fault, STATUS_UNAVAILABLE, "cannot get the status of '%s'", command);
	if (WIFSIGNALED(status))
		return fault_set(run->fault, STATUS_UNAVAILABLE,
		    "'%s' was ended by signal %d%s%.*s", command, WTERMSIG(status), mark,
		    STR_ARG(words));
	if (WEXITSTATUS(status) > run->process->accepted)
		return fault_set(run->fault, STATUS_UNAVAILABLE, "'%s' failed with status %d%s%.*s",
		    command, WEXITSTATUS(status), mark, STR_ARG(words));
	return true;
}

/* Works with the shell until it ends, or is given up, and sets how that was. */
static bool
finish(struct running_process *run, struct process_end *end)
{
	bool given_up = !converse(run);
	struct str words;

	process_group_end(&run->group);
	words = last_words(run);
	end->is_late = run->is_late;
	if (words.len > 0)
		memcpy(end->line, words.ptr, words.len);
	if (!given_up && run->group.reaped && !run->group.lost && WIFEXITED(run->group.status))
		end->status = WEXITSTATUS(run->group.status);
	if (!given_up)
		return check_status(run);
	if (words.len > 0)
		buf_add_fmt(&run->fault->text, ": %.*s", STR_ARG(words));
	return false;
}

bool
process_run(
    const struct process *process, struct buf *output, struct process_end *end, struct fault *fault)
{
	struct running_process run = {.process = process,
	    .fault = fault,
	    .output = output,
	    .output_start = output->len,
	    .started = clock_ms()};
	struct process_end unseen;
	int error;
	bool good;

	if (end == NULL)
		end = &unseen;
	*end = (struct process_end){.status = -1};
	run.moved = run.started;
	for (int i = 0; i < POLL_COUNT; i++)
		run.poll[i].fd = -1;
	signals_take(&run.before);
	prctl(PR_SET_CHILD_SUBREAPER,
	    1L); /* orphans of the group become our children, to be reaped here */
	error = start(&run);
	good = error == 0 ? finish(&run, end) :
			    fault_set(fault, status_of_error(error, STATUS_UNAVAILABLE),
				"cannot run '%s': %s", process->command, strerror(error));
	for (int i = 0; i < POLL_COUNT; i++)
		close_end(&run, i);
	prctl(PR_SET_CHILD_SUBREAPER, 0L);
	signals_give_back(&run.before);
	buf_free(&run.errors);
	return good;
}

bool
process_check_text(const char *command, struct str output, struct fault *fault)
{
	size_t bad = utf8_valid(output);

	return bad == output.len ||
	    fault_set(fault, STATUS_UNAVAILABLE, "'%s' wrote text that is not UTF-8, at byte %zu",
		command, bad + 1);
}
