/* Users' commands as filters: what goes in and comes out, how they fail, and that nothing of them stays. */

#include "stream/process.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

#include "unit.h"

enum { MANY = 3 << 20 };

static double
seconds(void)
{
	return (double)clock_ms() / 1e3;
}

/* The command answers so and there is no fault. */
static void
check_answer(const char *command, struct str input, const char *expected)
{
	struct process process = {command, input, 10, 1000};
	struct fault fault = FAULT_INIT;
	struct buf output = BUF_INIT;

	CHECK(process_run(&process, &output, &fault));
	CHECK_STR(output, expected);
	CHECK(!fault_is_set(&fault));
	buf_free(&output);
	fault_free(&fault);
}

/* The command fails with that text, within so many seconds. */
static void
check_fault(struct process process, const char *expected, double most)
{
	struct fault fault = FAULT_INIT;
	struct buf output = BUF_INIT;
	double start = seconds();

	CHECK(!process_run(&process, &output, &fault));
	CHECK(fault.status == STATUS_UNAVAILABLE);
	CHECK_STR(fault.text, expected);
	CHECK(seconds() - start < most);
	buf_free(&output);
	fault_free(&fault);
}

static void
test_answers(void)
{
	check_answer("cat", STR("some text"), "some text");
	check_answer("true", STR(""), "");
	check_answer("echo no need of input", STR("input"), "no need of input\n");
	check_answer("echo unheard >&2; echo heard", STR(""), "heard\n");
	/* What is open here is not open there: the three standard ones, and that of the list itself. */
	check_answer("ls /proc/self/fd | wc -l", STR(""), "4\n");
	check_answer("exec <&-; echo closed", STR("input"), "closed\n");
	check_answer("exec >&- 2>&-; sleep 0.1", STR("input"), "");
	check_answer("trap", STR(""), "");
}

/* Both sides have much to say, and some do not listen. */
static void
test_much(void)
{
	char *bytes = malloc(MANY);
	struct process process = {"cat", str_of(memset(bytes, 'x', MANY), MANY), 10, MANY};
	struct fault fault = FAULT_INIT;
	struct buf output = BUF_INIT;

	CHECK(process_run(&process, &output, &fault));
	CHECK(output.len == MANY && memcmp(output.ptr, bytes, MANY) == 0);
	buf_reset(&output);
	process.command = "head -c 1000000 /dev/zero; cat >/dev/null; head -c 1000000 /dev/zero";
	CHECK(process_run(&process, &output, &fault) && output.len == 2000000);
	process.command = "head -c 10 >/dev/null";
	CHECK(process_run(&process, &output, &fault));
	process.command = "head -c 5000000 /dev/zero >&2; head -c 10";
	CHECK(process_run(&process, &output, &fault) && output.len == 2000010);
	CHECK(!fault_is_set(&fault));
	fault_free(&fault);
	buf_free(&output);
	free(bytes);
}

static void
test_failures(void)
{
	struct str none = STR("");
	char long_line[300];

	check_fault((struct process){"exit 3", none, 10, 100}, "'exit 3' failed with status 3", 5);
	check_fault(
	    (struct process){"echo one >&2; echo 'two ' >&2; echo >&2; exit 1", none, 10, 100},
	    "'echo one >&2; echo 'two ' >&2; echo >&2; exit 1' failed with status 1: two", 5);
	check_fault(
	    (struct process){"kill -9 $$", none, 10, 100}, "'kill -9 $$' was ended by signal 9", 5);
	check_fault(
	    (struct process){"yes", none, 10, 100000}, "'yes' wrote more than 100000 bytes", 5);
	check_fault((struct process){"echo wait >&2; sleep 50", none, 1, 100},
	    "'echo wait >&2; sleep 50' gave no answer for 1 second: wait", 5);
	/* Of a long line the beginning is shown. */
	snprintf(long_line, sizeof long_line,
	    "'printf x%%0299d 0 >&2; exit 1' failed with status 1: x%0199d", 0);
	check_fault((struct process){"printf x%0299d 0 >&2; exit 1", none, 10, 100}, long_line, 5);
	/* The group is ended by force when it does not end itself. */
	check_fault((struct process){"trap '' TERM; while :; do sleep 9; done", none, 1, 100},
	    "'trap '' TERM; while :; do sleep 9; done' gave no answer for 1 second", 6);
}

/* A command that is busy in time is not silent. */
static void
test_slow(void)
{
	struct process process = {"for i in 1 2 3 4; do sleep 0.4; echo $i; done", STR(""), 1, 100};
	struct fault fault = FAULT_INIT;
	struct buf output = BUF_INIT;

	CHECK(process_run(&process, &output, &fault));
	CHECK_STR(output, "1\n2\n3\n4\n");
	buf_free(&output);
	fault_free(&fault);
}

/* Not when it has ended and waits for its parent. */
static int
is_running(int pid)
{
	char path[64], state = 'Z';
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	file = fopen(path, "r");
	if (file != NULL && fscanf(file, "%*d %*s %c", &state) != 1)
		state = 'Z';
	if (file != NULL)
		fclose(file);
	return state != 'Z';
}

/* A process that the shell left behind holds the pipe: it is ended, and the answer is whole. */
static void
test_left_behind(void)
{
	struct process process = {"sleep 60 & echo $!", STR(""), 10, 100};
	struct fault fault = FAULT_INIT;
	struct buf output = BUF_INIT;
	double start = seconds();

	if (CHECK(process_run(&process, &output, &fault)) && CHECK(output.len > 1)) {
		buf_add_char(&output, '\0');
		CHECK(seconds() - start < 5);
		CHECK(!is_running(atoi(output.ptr)));
	}
	buf_free(&output);
	fault_free(&fault);
}

/* What the shell left behind is asked to end before it is made to. */
static void
test_asked(void)
{
	char path[] = "/tmp/ctx-process.XXXXXX", command[256];
	int fd = mkstemp(path);
	struct process process = {command, STR(""), 10, 100};
	struct fault fault = FAULT_INIT;
	struct buf output = BUF_INIT;
	char told[8] = {0};

	snprintf(command, sizeof command,
	    "{ trap 'echo asked >%s; exit' TERM; echo ready; while :; do sleep 0.05; done; } & "
	    "sleep 0.5",
	    path);
	CHECK(process_run(&process, &output, &fault));
	CHECK_STR(output, "ready\n");
	CHECK(fd >= 0 && read(fd, told, sizeof told) == 6 && strcmp(told, "asked\n") == 0);
	close(fd);
	unlink(path);
	buf_free(&output);
	fault_free(&fault);
}

/* What ends this program while the command runs ends the command too. */
static void
test_interrupt(int number)
{
	struct process process = {"sleep 60; echo never", STR(""), 30, 100};
	struct fault fault = FAULT_INIT;
	struct buf output = BUF_INIT;
	double start = seconds();
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		alarm(20);
		process_run(&process, &output, &fault);
		_exit(0);
	}
	usleep(300000);
	kill(pid, number);
	CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == number);
	CHECK(seconds() - start < 5);
}

/* The signals are as they were. */
static void
test_signals(void)
{
	struct sigaction action;
	sigset_t mask;

	sigaction(SIGPIPE, NULL, &action);
	CHECK(action.sa_handler == SIG_DFL);
	sigaction(SIGINT, NULL, &action);
	CHECK(action.sa_handler == SIG_DFL);
	sigprocmask(SIG_BLOCK, NULL, &mask);
	CHECK(!sigismember(&mask, SIGINT) && !sigismember(&mask, SIGTERM));
	signal(SIGCHLD, SIG_IGN);
	check_answer("echo ignored children", STR(""), "ignored children\n");
	signal(SIGCHLD, SIG_DFL);
	CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

int
main(void)
{
	for (int fd = 3; fd < 1024; fd++)
		close(fd); /* what this program was started with */
	test_answers();
	test_much();
	test_failures();
	test_slow();
	test_left_behind();
	test_asked();
	test_interrupt(SIGINT);
	test_interrupt(SIGTERM);
	test_signals();
	return unit_end();
}
