#include "stream/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The file of the handler: a signal has no other way to it. */
static struct {
	volatile sig_atomic_t exists;
	int directory;
	char name[NAME_MAX + 1];
	bool is_watched; /* the handlers are set */
} current;

/* A file that would grow over a limit of the system is an error of write(2) instead. */
static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXCPU};

void
temporary_remove(void)
{
	if (current.exists)
		unlinkat(current.directory, current.name, 0);
	current.exists = false;
}

/* The signal's own action, which ends the program, follows when the handler returns. */
static void
leave(int number)
{
	temporary_remove();
	raise(number);
}

/* A signal that has a handler, or is ignored, does not end the program. */
static void
watch(void)
{
	struct sigaction removing = {.sa_handler = leave, .sa_flags = (int)SA_RESETHAND}, set;
	struct sigaction ignoring = {.sa_handler = SIG_IGN};

	if (current.is_watched)
		return;
	current.is_watched = true;
	atexit(temporary_remove);
	sigaction(SIGXFSZ, &ignoring, NULL);
	for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++) {
		sigaction(ending[i], NULL, &set);
		if (set.sa_handler == SIG_DFL)
			sigaction(ending[i], &removing, NULL);
	}
}

int
temporary_create(int directory, const char *name)
{
	sigset_t before;
	int fd;

	if (strlen(name) > NAME_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	watch();
	temporary_hold_signals(&before);
	unlinkat(directory, name, 0);
	fd = openat(directory, name, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0) {
		current.directory = directory;
		strcpy(current.name, name);
		current.exists = true;
	}
	temporary_release_signals(&before);
	return fd;
}

void
temporary_keep(void)
{
	current.exists = false;
}

void
temporary_hold_signals(sigset_t *before)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++)
		sigaddset(&set, ending[i]);
	sigprocmask(SIG_BLOCK, &set, before);
}

bool
temporary_is_ended(void)
{
	sigset_t pending;

	sigpending(&pending);
	for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++)
		if (sigismember(&pending, ending[i]) == 1)
			return true;
	return false;
}

void
temporary_release_signals(const sigset_t *before)
{
	int error = errno;

	sigprocmask(SIG_SETMASK, before, NULL);
	errno = error;
}
