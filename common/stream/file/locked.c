#include "stream/file/locked.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"

static bool
fail(struct fault *fault, enum status status, const char *what)
{
	return fault_set_error(fault, status, "%s", what);
}

/* Splits the path into directory and name, and opens the directory. */
static bool
open_directory(struct locked *file, const char *path, bool follows, struct fault *fault)
{
	errno = ENAMETOOLONG;
	if (strlen(path) >= sizeof file->path || (follows && realpath(path, file->path) == NULL))
		return fail(fault, STATUS_NO_INPUT, "cannot open it");
	if (!follows)
		strcpy(file->path, path);
	file->directory =
	    open(file_split(file->path, &file->name), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return file->directory >= 0 || fail(fault, STATUS_NO_INPUT, "cannot open its directory");
}

/* Opens the file that has the name now. */
static bool
open_file(struct locked *file, struct fault *fault)
{
	file->fd = openat(
	    file->directory, file->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (file->fd < 0 && errno == ELOOP)
		return fault_set(fault, STATUS_CANT_CREATE,
		    "is a symbolic link; --follow-symlinks takes the file that it points to");
	if (file->fd < 0 || fstat(file->fd, &file->st) != 0)
		return fail(fault, STATUS_NO_INPUT, "cannot open it");
	if (S_ISDIR(file->st.st_mode))
		return fault_set(fault, STATUS_NO_INPUT, "is a directory");
	return S_ISREG(file->st.st_mode) ||
	    fault_set(fault, STATUS_CANT_CREATE, "is no regular file, and stays as it is");
}

bool
locked_is(const struct locked *file, const char *name)
{
	struct stat st;

	return fstatat(file->directory, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    file_is_same(&st, &file->st);
}

bool
locked_wait(int64_t *start)
{
	enum { STEP_MS = 1 };
	int64_t now = clock_ms();

	if (*start == 0)
		*start = now;
	nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000L}, NULL);
	return now - *start <= LOCKED_WAIT_MS;
}

bool
locked_open(struct locked *file, const char *path, bool follows, struct fault *fault)
{
	int64_t start = 0;

	*file = (struct locked)LOCKED_INIT;
	if (!open_directory(file, path, follows, fault))
		return false;
	for (;;) {
		if (!open_file(file, fault))
			return false;
		while (flock(file->fd, LOCK_EX | LOCK_NB) != 0) {
			if (errno != EWOULDBLOCK && errno != EINTR)
				return fail(fault, STATUS_OS, "cannot lock it");
			if (!locked_wait(&start))
				return fault_set(fault, STATUS_LATER, "is locked; try again later");
		}
		if (locked_is(file, file->name))
			return true;
		close(file->fd);
		file->fd = -1;
	}
}

/* The list has a line for each lock and below it one for each that waits for it:
 *
 *     7: FLOCK  ADVISORY  WRITE 4711 08:01:131 0 EOF
 *     7: -> FLOCK  ADVISORY  WRITE 4712 08:01:131 0 EOF
 */
bool
locked_is_awaited(const struct locked *file)
{
	enum { LIST_MAX = 1 << 20 };
	struct fault ignored = FAULT_INIT;
	struct buf list = BUF_INIT;
	char inode[32];
	bool is_awaited = false;

	snprintf(inode, sizeof inode, ":%ju 0 EOF", (uintmax_t)file->st.st_ino);
	if (file_read("/proc/locks", LIST_MAX, &list, &ignored)) {
		struct str rest = buf_str(&list);
		const char *at;

		while (!is_awaited && (at = str_find(rest, STR("-> FLOCK"))) != NULL) {
			rest = str_of(at + 1, (size_t)(rest.ptr + rest.len - at) - 1);
			is_awaited = str_find(str_first_line(rest), str_from(inode)) != NULL;
		}
	}
	fault_free(&ignored);
	buf_free(&list);
	return is_awaited;
}

void
locked_release(struct locked *file)
{
	flock(file->fd, LOCK_UN);
}

void
locked_close(struct locked *file)
{
	if (file->fd >= 0)
		close(file->fd);
	if (file->directory >= 0)
		close(file->directory);
	file->fd = file->directory = -1;
}
