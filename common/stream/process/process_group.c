#include "stream/process/process_group.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include "stream/process/environment.h"
#include "stream/process/spawn.h"

enum { END_TICKS = 100 }; /* ticks of 10 ms between SIGTERM and SIGKILL */

int
process_group_start(struct process_group *group, const char *command, const char *const *variables,
    const int *ends, const struct signals *before)
{
	char *const argv[] = {(char[]){"sh"}, (char[]){"-c"}, (char *)command, NULL};
	const char **environment = environment_with(variables);
	int error = spawn_program(&group->pid, "/bin/sh", argv, (char *const *)environment, ends,
	    before, POSIX_SPAWN_SETPGROUP);

	free(environment);
	return error;
}

bool
process_group_has_ended(const struct process_group *group)
{
	siginfo_t info = {.si_pid = 0};

	return waitid(P_PID, (id_t)group->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
	    info.si_pid != 0;
}

/* Reaps the shell, then all other processes of the group that have ended. Returns whether the group
 * is gone. */
static bool
reap(struct process_group *group)
{
	if (!group->reaped) {
		pid_t pid = waitpid(group->pid, &group->status, WNOHANG);

		group->lost = pid < 0 && errno != EINTR;
		group->reaped = group->lost || pid == group->pid;
	}
	if (group->reaped && kill(-group->pid, 0) == 0)
		while (waitpid(-group->pid, NULL, WNOHANG) > 0)
			continue;
	return group->reaped && kill(-group->pid, 0) != 0;
}

void
process_group_end(struct process_group *group)
{
	const struct timespec tick = {0, 10000000};

	kill(-group->pid, SIGTERM);
	for (int i = 0; i < END_TICKS; i++) {
		if (reap(group))
			return;
		nanosleep(&tick, NULL);
	}
	kill(-group->pid, SIGKILL);
	for (int i = 0; i < END_TICKS && !reap(group); i++)
		nanosleep(&tick, NULL);
}
