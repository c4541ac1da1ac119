/* Users' commands as filters: what goes in and comes out, how they fail, and that nothing of them stays. */

#include "stream/process/process.h"

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
	struct process process = {
	    .command = command, .input = input, .timeout = 10, .output_max = 1000};
	struct fault fault = FAULT_INIT;
	struct buf output = BUF_INIT;

	CHECK(process_run(&process, &output, NULL, &fault));
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

	CHECK(!process_run(&process, &output, NULL, &fault));
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
	struct process process = {.command = "cat",
	    .input = str_of(memset(bytes, 'x', MANY), MANY),
	    .timeout = 10,
	    .output_max = MANY};
	struct fault fault = FAULT_INIT;
	struct buf output = BUF_INIT;

	CHECK(process_run(&process, &output, NULL, &fault));
	CHECK(output.len == MANY && memcmp(output.ptr, bytes, MANY) == 0);
	buf_reset(&output);
	process.command = "head -c 1000000 /dev/zero; cat >/dev/null; head -c 1000000 /dev/zero";
	CHECK(process_run(&process, &output, NULL, &fault) && output.len == 2000000);
	process.command = "head -c 10 >/dev/null";
	CHECK(process_run(&process, &output, NULL, &fault));
	process.command = "head -c 5000000 /dev/zero >&2; head -c 10";
	CHECK(process_run(&process, &output, NULL, &fault) && output.len == 2000010);
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

	check_fault(
	    (struct process){.command = "exit 3", .input = none, .timeout = 10, .output_max = 100},
	    "'exit 3' failed with status 3", 5);
	check_fault((struct process){.command = "echo one >&2; echo 'two ' >&2; echo >&2; exit 1",
			.input = none,
			.timeout = 10,
			.output_max = 100},
	    "'echo one >&2; echo 'two ' >&2; echo >&2; exit 1' failed with status 1: two", 5);
	check_fault(
	    (struct process){
		.command = "kill -9 $$", .input = none, .timeout = 10, .output_max = 100},
	    "'kill -9 $$' was ended by signal 9", 5);
	check_fault(
	    (struct process){.command = "yes", .input = none, .timeout = 10, .output_max = 100000},
	    "'yes' wrote more than 100000 bytes", 5);
	check_fault((struct process){.command = "echo wait >&2; sleep 50",
			.input = none,
			.timeout = 1,
			.output_max = 100},
	    "'echo wait >&2; sleep 50' gave no answer for 1 second: wait", 5);
	/* Of a long line the beginning is shown. */
	snprintf(long_line, sizeof long_line,
	    "'printf x%%0299d 0 >&2; exit 1' failed with status 1: x%0199d", 0);
	check_fault((struct process){.command = "printf x%0299d 0 >&2; exit 1",
			.input = none,
			.timeout = 10,
			.output_max = 100},
	    long_line, 5);
	/* The group is ended by force when it does not end itself. */
	check_fault((struct process){.command = "trap '' TERM; while :; do sleep 9; done",
			.input = none,
			.timeout = 1,
			.output_max = 100},
	    "'trap '' TERM; while :; do sleep 9; done' gave no answer for 1 second", 6);
}

/* How a run ended is told apart: a status of the command's own, time that was over, and neither. */
static struct process_end
check_end(struct process process, bool good)
{
	struct process_end end = {99, true, "?"};
	struct fault fault = FAULT_INIT;
	struct buf output = BUF_INIT;

	process.output_max = 100;
	CHECK(process_run(&process, &output, &end, &fault) == good);
	CHECK(fault_is_set(&fault) != good);
	CHECK(!process.drops_output || output.len == 0);
	buf_free(&output);
	fault_free(&fault);
	return end;
}

static void
test_ends(void)
{
	struct process_end end;

	end = check_end((struct process){.command = "true"}, true);
	CHECK(end.status == 0 && !end.is_late);
	end = check_end((struct process){.command = "exit 75"}, false);
	CHECK(end.status == 75 && !end.is_late && end.line[0] == '\0');
	end = check_end((struct process){.command = "echo no >&2; echo why >&2; exit 75"}, false);
	CHECK(end.status == 75 && strcmp(end.line, "why") == 0);
	end = check_end((struct process){.command = "printf x%0299d 0 >&2"}, true);
	CHECK(strlen(end.line) == PROCESS_LINE);
	end = check_end((struct process){.command = "exit 1", .accepted = 1}, true);
	CHECK(end.status == 1 && !end.is_late);
	end = check_end((struct process){.command = "exit 2", .accepted = 1}, false);
	CHECK(end.status == 2 && !end.is_late);
	end = check_end((struct process){.command = "kill -9 $$", .accepted = 1}, false);
	CHECK(end.status == -1 && !end.is_late);
	end = check_end((struct process){.command = "yes"}, false);
	CHECK(end.status == -1 && !end.is_late);
	end = check_end(
	    (struct process){.command = "head -c 999999 /dev/zero", .drops_output = true}, true);
	CHECK(end.status == 0);
	end = check_end(
	    (struct process){.command = "yes", .drops_output = true, .deadline = 1}, false);
	CHECK(end.status == -1 && end.is_late);
	end = check_end((struct process){.command = "sleep 20", .timeout = 1}, false);
	CHECK(end.status == -1 && end.is_late);
	end = check_end(
	    (struct process){.command = "trap 'exit 75' TERM; sleep 20 & wait", .deadline = 1},
	    false);
	CHECK(end.status == -1 && end.is_late);
}

/* A command that is never silent, and one that reads all the time, are ended at the deadline. */
static void
test_deadline(void)
{
	static const char busy[] = "while :; do echo x; sleep 0.1; done";

	check_fault(
	    (struct process){.command = busy, .timeout = 10, .output_max = 1000, .deadline = 1},
	    "'while :; do echo x; sleep 0.1; done' was not done after 1 second", 5);
	check_fault((struct process){.command = "echo tired >&2; sleep 9", .deadline = 1},
	    "'echo tired >&2; sleep 9' was not done after 1 second: tired", 5);
	check_fault((struct process){.command = "sleep 9", .timeout = 1, .deadline = 10},
	    "'sleep 9' gave no answer for 1 second", 5);
}

/* The variables of the run stand in place of ours, and all others are as they were. */
static void
test_variables(void)
{
	static const char *const list[] = {"CTX_ONE=1 a=b", "CTX_TWO=", NULL};
	struct process process = {.command = "echo \"$CTX_ONE,${CTX_TWO-none},$CTX_O,$CTX_ONES\"; "
					     "tr '\\0' '\\n' </proc/$$/environ | grep -c ^CTX_ONE=",
	    .output_max = 100,
	    .variables = list};
	struct fault fault = FAULT_INIT;
	struct buf output = BUF_INIT;

	setenv("CTX_ONE", "ours", 1);
	setenv("CTX_O", "o", 1);
	setenv("CTX_ONES", "ones", 1);
	CHECK(process_run(&process, &output, NULL, &fault));
	CHECK_STR(output, "1 a=b,,o,ones\n1\n");
	CHECK(strcmp(getenv("CTX_ONE"), "ours") == 0);
	buf_free(&output);
	fault_free(&fault);
}

/* A command that is busy in time is not silent. */
static void
test_slow(void)
{
	struct process process = {.command = "for i in 1 2 3 4; do sleep 0.4; echo $i; done",
	    .input = STR(""),
	    .timeout = 1,
	    .output_max = 100};
	struct fault fault = FAULT_INIT;
	struct buf output = BUF_INIT;

	CHECK(process_run(&process, &output, NULL, &fault));
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
	struct process process = {
	    .command = "sleep 60 & echo $!", .input = STR(""), .timeout = 10, .output_max = 100};
	struct fault fault = FAULT_INIT;
	struct buf output = BUF_INIT;
	double start = seconds();

	if (CHECK(process_run(&process, &output, NULL, &fault)) && CHECK(output.len > 1)) {
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
	struct process process = {
	    .command = command, .input = STR(""), .timeout = 10, .output_max = 100};
	struct fault fault = FAULT_INIT;
	struct buf output = BUF_INIT;
	char told[8] = {0};

	snprintf(command, sizeof command,
	    "{ trap 'echo asked >%s; exit' TERM; echo ready; while :; do sleep 0.05; done; } & "
	    "sleep 0.5",
	    path);
	CHECK(process_run(&process, &output, NULL, &fault));
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
	struct process process = {
	    .command = "sleep 60; echo never", .input = STR(""), .timeout = 30, .output_max = 100};
	struct fault fault = FAULT_INIT;
	struct buf output = BUF_INIT;
	double start = seconds();
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		alarm(20);
		process_run(&process, &output, NULL, &fault);
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
	test_ends();
	test_deadline();
	test_variables();
	test_slow();
	test_left_behind();
	test_asked();
	test_interrupt(SIGINT);
	test_interrupt(SIGTERM);
	test_signals();
	return unit_end();
}
