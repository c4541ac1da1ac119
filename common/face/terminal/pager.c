#include "face/terminal/pager.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "face/terminal/terminal.h"

extern char **environ;

static volatile pid_t pager; /* 0: none runs */

/* Lets the pager see the end, and waits for it. A handler of a signal may call this. */
static void
wait_for_pager(void)
{
	if (pager == 0)
		return;
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	waitpid(pager, NULL, 0);
	pager = 0;
}

static void
end_by(int number)
{
	wait_for_pager();
	signal(number, SIG_DFL);
	raise(number);
}

/* What the shell runs before the pager: colours need -R, and git sets the same. */
#define SETS_LESS ": \"${LESS=FRX}\"; export LESS; "

/* The command, or NULL for no pager. Where less is missing, nothing is lost. */
static const char *
find_pager(void)
{
	const char *command = getenv("CTX_PAGER");

	if (command == NULL)
		command = getenv("PAGER");
	if (command == NULL && terminal_is_dumb())
		return NULL; /* less would ask for a key */
	if (command == NULL)
		return "command -v less >/dev/null && exec less -RFX; exec cat";
	return *command == '\0' || strcmp(command, "cat") == 0 ? NULL : command;
}

/* Starts the command, which reads from fd. Returns whether it runs. */
static bool
start(const char *command, int fd)
{
	struct buf text = BUF_INIT;
	char *argv[] = {(char[]){"sh"}, (char[]){"-c"}, NULL, NULL};
	posix_spawn_file_actions_t actions;
	pid_t pid;
	bool runs;

	if (posix_spawn_file_actions_init(&actions) != 0)
		return false;
	buf_add_fmt(&text, SETS_LESS "%s", command);
	buf_add_char(&text, '\0');
	argv[2] = text.ptr;
	runs = posix_spawn_file_actions_adddup2(&actions, fd, STDIN_FILENO) == 0 &&
	    posix_spawn(&pid, "/bin/sh", &actions, NULL, argv, environ) == 0;
	posix_spawn_file_actions_destroy(&actions);
	buf_free(&text);
	if (runs)
		pager = pid;
	return runs;
}

void
pager_start(void)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	const char *command = terminal_is_output() ? find_pager() : NULL;
	bool has_errors = isatty(STDERR_FILENO) == 1;
	int fd[2];

	if (command == NULL || pipe2(fd, O_CLOEXEC) != 0)
		return;
	if (start(command, fd[0])) {
		dup2(fd[1], STDOUT_FILENO);
		if (has_errors)
			dup2(fd[1], STDERR_FILENO);
		atexit(wait_for_pager);
		for (unsigned i = 0; i < ARRAY_COUNT(ends); i++)
			signal(ends[i], end_by);
	}
	close(fd[0]);
	close(fd[1]);
}
