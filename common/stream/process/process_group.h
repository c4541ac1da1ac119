#ifndef PROCESS_PROCESS_GROUP_H
#define PROCESS_PROCESS_GROUP_H

/*
 * The processes of a user's command: a shell, and what it starts, in a group of its own that ends
 * as a whole.
 */

#include <stdbool.h>
#include <sys/types.h>

#include "stream/process/signals.h"

struct process_group {
	pid_t pid;   /* of the shell, and of the group */
	int status;  /* of the shell, as waitpid(2) gives it */
	bool reaped; /* the shell is gone, and its status is known or lost */
	bool lost;
};

/* Starts the shell with the command on three descriptors. variables: see struct process. before has
 * the signals that the shell starts with. Returns 0, or an error number. */
int process_group_start(struct process_group *group, const char *command,
    const char *const *variables, const int *ends, const struct signals *before);

/* Whether the shell has ended. The shell is not reaped here: while it is a zombie, no other process
 * group can get its number. */
bool process_group_has_ended(const struct process_group *group);

/* Ends all processes of the group that are still there, and reaps them. */
void process_group_end(struct process_group *group);

#endif
