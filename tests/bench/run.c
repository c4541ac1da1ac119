/*
 * run FILE COMMAND [ARGUMENT]...: runs the command and writes "WALL CPU MAXRSS STATUS FAULTS" to
 * FILE: seconds of wall time, of user and system time together, KiB of peak resident memory (of the
 * largest process when the command waits for others), the exit status, and the page faults that
 * needed no disk. Ends with that status.
 */

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double
seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int
main(int argc, char *argv[])
{
	struct rusage usage;
	double start;
	FILE *file;
	pid_t pid;
	int status;

	if (argc < 3)
		errx(64, "usage: run file command [argument]...");
	start = now();
	pid = fork();
	if (pid == -1)
		err(71, "fork");
	if (pid == 0) {
		execvp(argv[2], &argv[2]);
		err(127, "%s", argv[2]);
	}
	if (wait4(pid, &status, 0, &usage) == -1)
		err(71, "wait4");
	status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	file = fopen(argv[1], "w");
	if (file == NULL ||
	    fprintf(file, "%.6f %.6f %ld %d %ld\n", now() - start,
		seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss, status,
		usage.ru_minflt) < 0 ||
	    fclose(file) != 0)
		err(73, "%s", argv[1]);
	return status;
}
