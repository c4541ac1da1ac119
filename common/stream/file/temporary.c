#include "stream/file/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/array_count.h"
#include "stream/file/durable.h"

/* The files for the signal handler, which can reach only global data. */
static struct {
	volatile sig_atomic_t exists;
	int directory;
	char name[PATH_MAX];
} files[TEMPORARY_KINDS];

static bool is_watched; /* the handlers are set */

static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXCPU};

void
temporary_remove(enum temporary kind)
{
	if (files[kind].exists)
		unlinkat(files[kind].directory, files[kind].name, 0);
	files[kind].exists = false;
}

static void
remove_all(void)
{
	for (int i = 0; i < TEMPORARY_KINDS; i++)
		temporary_remove((enum temporary)i);
}

/* The signal's own action, which ends the program, follows when the handler returns. */
static void
leave(int number)
{
	remove_all();
	raise(number);
}

/* A signal that has a handler, or is ignored, does not end the program. */
static void
watch(void)
{
	struct sigaction removing = {.sa_handler = leave, .sa_flags = (int)SA_RESETHAND}, set;

	if (is_watched)
		return;
	is_watched = true;
	atexit(remove_all);
	durable_ignore_limit();
	for (size_t i = 0; i < ARRAY_COUNT(ending); i++) {
		sigaction(ending[i], NULL, &set);
		if (set.sa_handler == SIG_DFL)
			sigaction(ending[i], &removing, NULL);
	}
}

int
temporary_create(enum temporary kind, int directory, const char *name)
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
		files[kind].directory = directory;
		strcpy(files[kind].name, name);
		files[kind].exists = true;
	}
	temporary_release_signals(&before);
	return fd;
}

const char *
temporary_directory(void)
{
	const char *directory = getenv("TMPDIR");

	return directory != NULL && directory[0] != '\0' ? directory : "/tmp";
}

/* Creates a file under a name that no other has; where there is no random number, the first that is
 * free. Returns a descriptor, or -1 with errno set. */
static int
create_unique(char name[PATH_MAX])
{
	enum { TRIES = 100 };
	int fd = -1;

	for (unsigned i = 0; i < TRIES && fd < 0; i++) {
		uint64_t number = i;

		(void)!getrandom(&number, sizeof number, GRND_NONBLOCK);
		if (snprintf(name, PATH_MAX, "%s/ctx-%016jx", temporary_directory(),
			(uintmax_t)number) >= PATH_MAX) {
			errno = ENAMETOOLONG;
			return -1;
		}
		fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd < 0 && errno != EEXIST)
			return -1;
	}
	return fd;
}

int
temporary_make(enum temporary kind, const char **path)
{
	sigset_t before;
	int fd;

	watch();
	temporary_hold_signals(&before);
	fd = create_unique(files[kind].name);
	files[kind].directory = AT_FDCWD;
	files[kind].exists = fd >= 0;
	temporary_release_signals(&before);
	*path = files[kind].name;
	return fd;
}

void
temporary_keep(enum temporary kind)
{
	files[kind].exists = false;
}

void
temporary_forget(void)
{
	for (int i = 0; i < TEMPORARY_KINDS; i++)
		temporary_keep((enum temporary)i);
}

void
temporary_hold_signals(sigset_t *before)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_COUNT(ending); i++)
		sigaddset(&set, ending[i]);
	sigprocmask(SIG_BLOCK, &set, before);
}

bool
temporary_is_ended(void)
{
	sigset_t pending;

	sigpending(&pending);
	for (size_t i = 0; i < ARRAY_COUNT(ending); i++)
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
