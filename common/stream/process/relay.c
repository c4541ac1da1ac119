#include "stream/process/relay.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "stream/process/spawn.h"
#include "stream/file/temporary.h"

enum { PATIENCE = 1000 }; /* ms between SIGTERM and SIGKILL */

struct running_relay {
	struct relay *relay;
	struct fault *fault;
	struct signals before;
	sigset_t listening; /* the mask of signals while it waits */
	unsigned running;
};

/* Wakes the wait, and does no more. */
static void
wake(int number)
{
	(void)number;
}

/* SIGCHLD comes only while the run waits: no end of a stage is missed. */
static void
take_signals(struct running_relay *run)
{
	struct sigaction waking = {.sa_handler = wake};
	sigset_t child;

	signals_take(&run->before);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	sigaction(SIGCHLD, &waking, NULL);
	run->listening = run->before.mask;
	sigdelset(&run->listening, SIGCHLD);
}

static void
close_feed(struct relay_stage *stage)
{
	if (stage->feed >= 0)
		close(stage->feed);
	stage->feed = -1;
}

/* Goes on as the stage, in a copy of the program. What else is open is of the relay. */
static void
become(struct running_relay *run, struct relay_stage *stage, int in, int out)
{
	struct relay_stage *list = run->relay->stages;
	struct fault fault = FAULT_INIT;
	int error = 0;

	if ((in != STDIN_FILENO && dup2(in, STDIN_FILENO) < 0) ||
	    (out != STDOUT_FILENO && dup2(out, STDOUT_FILENO) < 0))
		error = errno;
	if (in != STDIN_FILENO)
		close(in);
	/* A failed write to a pipe is reported by the process at its other end. */
	if (out != STDOUT_FILENO && !file_close(out) && out == run->relay->out)
		error = errno;
	for (struct relay_stage *other = list; other < stage; other++)
		close_feed(other);
	temporary_forget();
	signals_give_back(&run->before);
	if (error != 0)
		fault_set(&fault, status_of_error(error, STATUS_IO),
		    "cannot take over the output: %s", strerror(error));
	stage->run(stage->owner, &fault);
}

/* Starts a stage that reads in and writes out; behind is the other end of the pipe out, or -1.
 * Returns 0, or an error number. */
static int
start_stage(struct running_relay *run, struct relay_stage *stage, int in, int out, int behind)
{
	const int ends[] = {in, out, STDERR_FILENO};
	int error;

	if (stage->run == NULL) {
		error = spawn_program(
		    &stage->pid, stage->path, stage->words, environ, ends, &run->before, 0);
		if (error != 0)
			stage->pid = -1;
		return error;
	}
	stage->pid = fork();
	if (stage->pid < 0)
		return errno;
	if (stage->pid == 0) {
		if (behind >= 0)
			close(behind);
		become(run, stage, in, out);
	}
	return 0;
}

/* Starts all stages. Returns false with the fault set when one cannot be started. */
static bool
start(struct running_relay *run)
{
	struct relay *relay = run->relay;
	int in = relay->in, error = 0;

	for (unsigned i = 0; i < relay->count && error == 0; i++) {
		struct relay_stage *stage = &relay->stages[i];
		bool is_last = i + 1 == relay->count;
		int ends[2] = {-1, relay->out};

		if (!is_last)
			error = spawn_pipe(ends);
		if (error == 0)
			error = start_stage(run, stage, in, ends[1], ends[0]);
		run->running += error == 0;
		if (i > 0)
			close(in);
		in = ends[0];
		if (!is_last)
			stage->feed = ends[1];
		if (error != 0)
			fault_set(run->fault, status_of_error(error, STATUS_UNAVAILABLE),
			    "cannot run '%s': %s", stage->words[0], strerror(error));
	}
	if (error != 0 && in >= 0 && in != relay->in)
		close(in);
	return error == 0;
}

static void
kill_all(const struct running_relay *run, int number)
{
	for (unsigned i = 0; i < run->relay->count; i++)
		if (run->relay->stages[i].pid > 0)
			kill(run->relay->stages[i].pid, number);
}

/* Whether the stage has ended since; sets its status. A stage whose status is not available sets
 * the fault. */
static bool
reap(struct running_relay *run, struct relay_stage *stage)
{
	pid_t pid = 0;

	if (stage->pid > 0)
		do
			pid = waitpid(stage->pid, &stage->status, WNOHANG);
		while (pid < 0 && errno == EINTR);
	if (pid == 0)
		return false;
	if (pid < 0)
		fault_set(run->fault, STATUS_UNAVAILABLE, "cannot get the status of '%s': %s",
		    stage->path, strerror(errno));
	stage->pid = -1;
	run->running--;
	return pid > 0;
}

/* Ends all stages that still run, whatever that makes of their status. */
static void
end_all(struct running_relay *run)
{
	const struct timespec tick = {0, 1000000};
	int64_t since = clock_ms();
	bool is_killed = false;

	kill_all(run, SIGTERM);
	kill_all(run, SIGCONT);
	while (run->running > 0) {
		for (unsigned i = 0; i < run->relay->count; i++)
			reap(run, &run->relay->stages[i]);
		if (run->running > 0)
			nanosleep(&tick, NULL);
		if (!is_killed && clock_ms() - since > PATIENCE) {
			kill_all(run, SIGKILL);
			is_killed = true;
		}
	}
}

bool
relay_is_left(int fd)
{
	struct pollfd end = {.fd = fd, .events = POLLOUT};

	return fd >= 0 && poll(&end, 1, 0) == 1 && (end.revents & POLLERR) != 0;
}

/* Judges a stage that has just ended. Returns whether the others may go on: a stage whose reader
 * has ended may have failed for that, and the reader reports why. */
static bool
judge(struct running_relay *run, struct relay_stage *stage)
{
	int status = relay_status(stage);
	bool is_good = status == STATUS_OK || status == STATUS_DATA,
	     left = relay_is_left(stage->feed);

	if (status == STATUS_DATA)
		run->relay->had_bad_lines = true;
	if (!is_good && !(left && relay_lost_reader(stage)))
		stage->is_failed = true;
	if (!is_good && !left)
		return false;
	close_feed(stage);
	return true;
}

/* Waits until all stages have ended, one has failed, or a signal came. */
static void
watch(struct running_relay *run)
{
	struct relay *relay = run->relay;

	while (run->running > 0 && signals_came() == 0 && !fault_is_set(run->fault)) {
		bool has_ended = false;

		for (unsigned i = 0; i < relay->count; i++)
			if (reap(run, &relay->stages[i])) {
				has_ended = true;
				if (!judge(run, &relay->stages[i]))
					return;
			}
		if (!has_ended && run->running > 0 && !fault_is_set(run->fault))
			ppoll(NULL, 0, NULL, &run->listening);
	}
}

bool
relay_run(struct relay *relay, struct fault *fault)
{
	struct running_relay run = {.relay = relay, .fault = fault};

	relay->failed = -1;
	relay->had_bad_lines = false;
	for (unsigned i = 0; i < relay->count; i++) {
		relay->stages[i].pid = relay->stages[i].feed = -1;
		relay->stages[i].is_failed = false;
	}
	take_signals(&run);
	if (start(&run))
		watch(&run);
	end_all(&run);
	for (unsigned i = 0; i < relay->count; i++) {
		close_feed(&relay->stages[i]);
		if (relay->stages[i].is_failed)
			relay->failed = (int)i;
	}
	signals_give_back(&run.before);
	return !fault_is_set(fault);
}

bool
relay_lost_reader(const struct relay_stage *stage)
{
	return relay_status(stage) == STATUS_PIPE;
}

int
relay_status(const struct relay_stage *stage)
{
	return WIFSIGNALED(stage->status) ? 128 + WTERMSIG(stage->status) :
					    WEXITSTATUS(stage->status);
}
