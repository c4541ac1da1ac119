#ifndef PROCESS_SIGNALS_H
#define PROCESS_SIGNALS_H

/*
 * The signals of this program while it runs a command. A signal that would end the program is
 * blocked, and is only noted while the run waits in ppoll(2), since the command must be ended
 * first. After the run, the signals are restored, and a signal that was noted is raised.
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

/* The number of the signal that has come since signals_take; 0: none. */
int signals_came(void);

/* Restores the signals, and raises the one that came. */
void signals_give_back(const struct signals *before);

#endif
