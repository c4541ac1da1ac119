#include "stream/process/signals.h"

#include <stddef.h>

/* Set by the handler. Signals are blocked outside ppoll, so the handler runs only within it. */
static volatile sig_atomic_t came;

static const int ending[SIGNALS_ENDING] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

static void
note(int number)
{
	came = number;
}

void
signals_take(struct signals *before)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, usual = {.sa_handler = SIG_DFL};
	struct sigaction noted = {.sa_handler = note};
	sigset_t block;

	came = 0;
	sigaction(SIGPIPE, &ignore, &before->pipe);
	sigaction(SIGCHLD, &usual, &before->child);
	sigemptyset(&block);
	for (int i = 0; i < SIGNALS_ENDING; i++) {
		sigaction(ending[i], NULL, &before->ending[i]);
		if (before->ending[i].sa_handler != SIG_IGN) {
			sigaddset(&block, ending[i]);
			sigaction(ending[i], &noted, NULL);
		}
	}
	sigprocmask(SIG_BLOCK, &block, &before->mask);
}

int
signals_came(void)
{
	return came;
}

void
signals_give_back(const struct signals *before)
{
	sigaction(SIGPIPE, &before->pipe, NULL);
	sigaction(SIGCHLD, &before->child, NULL);
	for (int i = 0; i < SIGNALS_ENDING; i++)
		sigaction(ending[i], &before->ending[i], NULL);
	if (came != 0)
		raise(came);
	sigprocmask(SIG_SETMASK, &before->mask, NULL);
}
