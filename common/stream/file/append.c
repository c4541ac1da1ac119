#include "stream/file/append.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "stream/file/attributes.h"
#include "stream/file/durable.h"
#include "stream/file/temporary.h"

static bool
fail(const struct append *append, const char *verb, enum status status)
{
	return fault_set_error(append->fault, status, "cannot %s '%s'", verb, append->path);
}

void
append_init(struct append *append, const char *path, mode_t mode, struct fault *fault)
{
	*append = (struct append){.path = path, .mode = mode, .fd = -1, .fault = fault};
	append->out.fd = -1;
	durable_ignore_limit();
}

static void
close_file(struct append *append)
{
	if (append->fd >= 0)
		close(append->fd);
	append->fd = -1;
}

static bool
open_file(struct append *append)
{
	struct stat st;

	append->fd = open(
	    append->path, O_RDONLY | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, append->mode);
	if (append->fd < 0 || fstat(append->fd, &st) != 0)
		return fail(append, "create", STATUS_CANT_CREATE);
	append->opened++;
	append->is_named = false;
	if (attributes_are_read_only(&st)) {
		errno = EACCES;
		return fail(append, "append to", STATUS_CANT_CREATE);
	}
	return S_ISREG(st.st_mode) ||
	    fault_set(append->fault, STATUS_CANT_CREATE, "cannot append to '%s': no regular file",
		append->path);
}

/* Opens the locked file for writing, too: *fd is -1 when another one has the name by now. */
static bool
open_writer(struct append *append, int *fd)
{
	struct stat locked, st;

	*fd = open(append->path, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
	if (*fd < 0)
		return errno == ENOENT || fail(append, "append to", STATUS_CANT_CREATE);
	if (fstat(append->fd, &locked) != 0 || fstat(*fd, &st) != 0) {
		fail(append, "append to", STATUS_IO);
		close(*fd);
		return false;
	}
	append->start = (uint64_t)st.st_size;
	if (file_is_same(&st, &locked))
		return true;
	close(*fd);
	*fd = -1;
	return true;
}

bool
append_lock(struct append *append)
{
	int fd;

	for (;;) {
		if (append->fd < 0 && !open_file(append))
			return false;
		if (!durable_lock(append->fd))
			return fail(append, "lock", STATUS_OS);
		if (!open_writer(append, &fd)) {
			close_file(append);
			return false;
		}
		if (fd >= 0)
			break;
		close_file(append);
	}
	output_init(&append->out, fd, append->path, append->fault);
	return true;
}

/* The name of a file that was just created is on the disk when its directory is. One that may be
 * searched, but not read, is left alone. */
static void
sync_name(struct append *append)
{
	char path[PATH_MAX];
	const char *name;
	int fd, error;

	if (realpath(append->path, path) == NULL) {
		fail(append, "open", STATUS_NO_INPUT);
		return;
	}
	append->is_named = true;
	fd = open(file_split(path, &name), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		if (errno != EACCES)
			fail(append, "open the directory of", STATUS_NO_INPUT);
		return;
	}
	error = durable_sync_directory(fd) ? 0 : errno;
	close(fd);
	errno = error;
	if (error != 0)
		fail(append, "write", STATUS_IO);
}

/* A signal that ends the program waits: it would leave a torn line. */
void
append_commit(struct append *append)
{
	struct output *out = &append->out;
	sigset_t before;

	temporary_hold_signals(&before);
	output_flush(out);
	if (!fault_is_set(append->fault) && fsync(out->fd) != 0)
		fail(append, "write", STATUS_IO);
	if (!fault_is_set(append->fault) && !append->is_named)
		sync_name(append);
	if (!fault_is_set(append->fault))
		append->start += out->bytes;
	else if (ftruncate(out->fd, (off_t)append->start) != 0)
		fail(append, "write", STATUS_IO); /* the first fault stays */
	out->bytes = 0;
	temporary_release_signals(&before);
}

bool
append_cut(struct append *append, uint64_t size)
{
	append->start = size;
	return (ftruncate(append->out.fd, (off_t)size) == 0 && fsync(append->out.fd) == 0) ||
	    fail(append, "cut", STATUS_IO);
}

void
append_unlock(struct append *append)
{
	output_close(&append->out);
	flock(append->fd, LOCK_UN);
}

void
append_free(struct append *append)
{
	close_file(append);
}

/* Ends a line that a killed program left torn. */
static bool
end_torn_line(struct append *append)
{
	char last = '\n';

	if (append->start > 0 && file_read_at(append->fd, &last, 1, append->start - 1) < 0)
		return fail(append, "read", STATUS_IO);
	if (last != '\n')
		output_add(&append->out, STR("\n"));
	return true;
}

bool
append_open(struct append *append, const char *path, struct fault *fault)
{
	append_init(append, path, 0600, fault);
	if (append_lock(append)) {
		if (end_torn_line(append))
			return true;
		append_unlock(append);
	}
	append_free(append);
	return false;
}

void
append_close(struct append *append)
{
	append_commit(append);
	append_unlock(append);
	append_free(append);
}
