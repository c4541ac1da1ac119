#ifndef PROCESS_PROCESS_GROUP_H
#define PROCESS_PROCESS_GROUP_H

/*
 * The processes of a user's command: a shell and all processes that it starts. They have their own
 * process group, so that all of them can be ended together.
 */

#include <stdbool.h>
#include <sys/types.h>

#include "stream/process/signals.h"

struct process_group {
	pid_t pid;   /* the number of the shell and of the group */
	int status;  /* the status of the shell, as from waitpid(2) */
	bool reaped; /* the shell has ended and was waited for: status or lost is set */
	bool lost;   /* the status of the shell could not be read */
};

/* Starts the shell with the command. ends are its three standard descriptors. variables: see struct
 * process. The shell starts with the signals in before. Returns 0, or an error number. */
int process_group_start(struct process_group *group, const char *command,
    const char *const *variables, const int *ends, const struct signals *before);

/* Whether the shell has ended. The shell is not reaped here: while it is a zombie, no other process
 * group can get its number. */
bool process_group_has_ended(const struct process_group *group);

/* Ends all processes of the group that still run, and waits for them. */
void process_group_end(struct process_group *group);

#endif
