#include "face/output/result.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "face/input/files.h"
#include "stream/file/attributes.h"
#include "stream/file/durable.h"
#include "stream/file/replace.h"
#include "stream/file/temporary.h"

enum { LINK_SIZE = 32 };

static _Noreturn void
fail(const struct result *result, const char *why)
{
	diag_die(STATUS_CANT_CREATE, "cannot create '%s': %s", result->path, why);
}

/* The same with the text of errno. */
static _Noreturn void
fail_error(const struct result *result)
{
	diag_die(status_of_error(errno, STATUS_CANT_CREATE), "cannot create '%s': %s", result->path,
	    strerror(errno));
}

/* Opens the regular file that the path leads to, and sets its real path: a link to a file stays
 * one. Returns -1 when there is no file. */
static int
open_old(const struct result *result, char real[PATH_MAX], struct stat *st)
{
	int fd;

	if (stat(result->path, st) == 0 && !S_ISREG(st->st_mode))
		fail(
		    result, "no regular file; without --output the result goes to standard output");
	fd = open(result->path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && (fstat(fd, st) != 0 || realpath(result->path, real) == NULL))
		fail_error(result);
	if (fd >= 0 && attributes_are_read_only(st))
		fail(result, "it is read-only");
	if (fd >= 0)
		return fd;
	if (errno != ENOENT)
		fail_error(result);
	if (fstatat(AT_FDCWD, result->path, st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st->st_mode))
		fail(result, "a symbolic link to no file");
	if (snprintf(real, PATH_MAX, "%s", result->path) >= PATH_MAX)
		fail(result, strerror(ENAMETOOLONG));
	return -1;
}

/* Ends the program when the path is a file that is read, or one that is standard output or standard
 * error. */
static void
check_path(const char *path, char *const *operand, int count)
{
	for (int i = 0; i < count || i == 0; i++) {
		bool is_stdin = count == 0 || file_is_stdin(operand[i]);

		if (files_are_same(path, is_stdin ? "/dev/stdin" : operand[i]))
			options_fail("--output '%s' is an input file", path);
	}
	if (files_are_same(path, "/dev/stdout") || files_are_same(path, "/dev/stderr"))
		options_fail("--output '%s' is where standard output or error goes", path);
}

/* Gives the new file to the attributes of the old one, or else the mode of any new file. */
static void
set_attributes(struct result *result, int old, const struct stat *st)
{
	struct fault fault = FAULT_INIT;
	mode_t mask = umask(0);

	umask(mask);
	result->mode = old >= 0 ? st->st_mode : 0666 & ~mask;
	if (old < 0 && fchmod(result->fd, result->mode) != 0)
		fail_error(result);
	if (old >= 0 && !attributes_copy(old, st, result->fd, &fault))
		diag_die(fault.status, "cannot create '%s': %.*s", result->path,
		    STR_ARG(buf_str(&fault.text)));
	if (old >= 0 && !file_close(old))
		diag_die(STATUS_IO, "cannot close '%s': %s", result->path, strerror(errno));
}

/* The name by which the file without a name is linked. */
static void
write_link(const struct result *result, char link[LINK_SIZE])
{
	snprintf(link, LINK_SIZE, "/proc/self/fd/%d", result->fd);
}

/* Creates a file that has no name until it is whole, so that a killed program leaves none. If the
 * system or the file system cannot do that, the file gets a temporary name in the same
 * directory. */
static void
create(struct result *result)
{
	char link[LINK_SIZE];

	durable_ignore_limit();
	result->fd = openat(
	    result->directory, ".", O_WRONLY | O_APPEND | O_TMPFILE | O_CLOEXEC, S_IRUSR | S_IWUSR);
	if (result->fd < 0 && errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)
		return;
	write_link(result, link);
	result->is_unnamed = result->fd >= 0 && access(link, F_OK) == 0;
	if (result->is_unnamed) {
		snprintf(result->temporary, sizeof result->temporary,
		    REPLACE_NEW_HEAD "%.200s" REPLACE_NEW_TAIL, result->name);
		return;
	}
	if (result->fd >= 0)
		close(result->fd);
	snprintf(result->temporary, sizeof result->temporary, ".%.200s.ctx-%jd", result->name,
	    (intmax_t)getpid());
	result->fd = temporary_create(TEMPORARY_REPLACING, result->directory, result->temporary);
}

void
result_open(struct result *result, const char *path, char *const *operand, int count)
{
	char real[PATH_MAX];
	const char *directory, *name;
	struct stat st;
	int old;

	result->path = path;
	check_path(path, operand, count);
	old = open_old(result, real, &st);
	directory = file_split(real, &name);
	if (name[0] == '\0' || strlen(name) >= sizeof result->name)
		fail(result, strerror(name[0] == '\0' ? ENOENT : ENAMETOOLONG));
	strcpy(result->name, name);
	result->directory = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (result->directory >= 0)
		create(result);
	if (result->directory < 0 || result->fd < 0)
		fail_error(result);
	set_attributes(result, old, &st);
}

/* Links the file, under a name that a killed program may have left, and gives it its own. Where
 * another program does the same at once, one of them is later, and its file stays. */
static bool
link_and_rename(const struct result *result)
{
	enum { TRIES = 100 };
	const char *temporary = result->temporary;
	int directory = result->directory, error = EEXIST;
	char link[LINK_SIZE];

	write_link(result, link);
	for (int i = 0; i < TRIES && (error == EEXIST || error == ENOENT); i++) {
		unlinkat(directory, temporary, 0);
		if (linkat(AT_FDCWD, link, directory, temporary, AT_SYMLINK_FOLLOW) == 0 &&
		    renameat(directory, temporary, directory, result->name) == 0)
			return true;
		error = errno;
	}
	unlinkat(directory, temporary, 0);
	errno = error;
	return false;
}

static bool
name_file(const struct result *result)
{
	sigset_t before;
	bool is_done;

	if (!result->is_unnamed)
		return renameat(result->directory, result->temporary, result->directory,
			   result->name) == 0;
	temporary_hold_signals(&before);
	is_done = link_and_rename(result);
	temporary_release_signals(&before);
	return is_done;
}

bool
result_commit(struct result *result, struct fault *fault)
{
	if (!attributes_restore_mode(result->fd, result->mode))
		return fault_set(fault, STATUS_CANT_CREATE, "cannot create '%s': %s", result->path,
		    strerror(errno));
	if (fsync(result->fd) != 0)
		return fault_set(
		    fault, STATUS_IO, "cannot write to '%s': %s", result->path, strerror(errno));
	if (!name_file(result))
		return fault_set(fault, STATUS_CANT_CREATE, "cannot create '%s': %s", result->path,
		    strerror(errno));
	temporary_keep(TEMPORARY_REPLACING);
	if (!file_close(result->fd) || !durable_sync_directory(result->directory))
		return fault_set(
		    fault, STATUS_IO, "cannot write to '%s': %s", result->path, strerror(errno));
	close(result->directory);
	return true;
}
