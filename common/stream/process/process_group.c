#include "stream/process/process_group.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "stream/process/spawn.h"

/* Whether both have the same name before their '='. */
static bool
is_same_name(const char *a, const char *b)
{
	size_t len = strcspn(a, "=");

	return strncmp(a, b, len) == 0 && b[len] == '=';
}

/* The environment of this program with those variables, each "NAME=value", in place of its own ones
 * of the same names. Both lists are ended by NULL; variables may be NULL. The list is the caller's
 * to free, the strings in it are not. */
static const char **
environment_with(const char *const *variables)
{
	size_t ours = 0, theirs = 0, count = 0;
	const char **list;

	while (environ[ours] != NULL)
		ours++;
	while (variables != NULL && variables[theirs] != NULL)
		theirs++;
	list = mem_alloc(ours + theirs + 1, sizeof *list);
	for (size_t i = 0; i < ours; i++) {
		size_t k = 0;

		while (k < theirs && !is_same_name(variables[k], environ[i]))
			k++;
		if (k == theirs)
			list[count++] = environ[i];
	}
	for (size_t k = 0; k < theirs; k++)
		list[count++] = variables[k];
	list[count] = NULL;
	return list;
}

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

/* Reaps the shell, then all other processes of the group that have ended. Returns whether all
 * processes of the group have ended. */
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
