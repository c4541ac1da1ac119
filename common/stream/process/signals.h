#ifndef PROCESS_SIGNALS_H
#define PROCESS_SIGNALS_H

/*
 * The signals of this program while it runs a command. What would end the program is blocked, and
 * only noted where the run lets it through (ppoll): the command must be ended first. When the run
 * is over, the signals are as they were, and one that was noted is raised.
 */

#include <signal.h>

enum { SIGNALS_ENDING = 4 }; /* SIGINT, SIGTERM, SIGHUP and SIGQUIT */

/* The signals as they were before the run. */
struct signals {
	struct sigaction ending[SIGNALS_ENDING], pipe, child;
	sigset_t mask;
};

/* Sets the signals for a run. SIGPIPE is ignored, so that writing to a pipe without a reader fails
 * instead of ending the program. SIGCHLD, which the parent may have set to be ignored, is restored,
 * so that the command can be waited for. */
void signals_take(struct signals *before);

/* The number of the signal that came since signals_take; 0: none. */
int signals_came(void);

/* Restores the signals, and raises the one that came. */
void signals_give_back(const struct signals *before);

#endif
