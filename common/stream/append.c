#include "stream/append.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
fail(const char *verb, const char *path, enum status status, struct fault *fault)
{
	return fault_set(fault, status_of_error(errno, status), "cannot %s '%s': %s", verb, path,
	    strerror(errno));
}

static int
retry_flock(int fd)
{
	int error;

	do
		error = flock(fd, LOCK_EX);
	while (error != 0 && errno == EINTR);
	return error;
}

/* The name of a file that was just created is on the disk when its directory is. One that may be
 * searched, but not read, is left alone, and some file systems have no such thing. */
static void
sync_directory(const char *path, struct fault *fault)
{
	char copy[PATH_MAX];
	int fd, error;

	if (strlen(path) >= sizeof copy)
		return;
	fd = open(dirname(strcpy(copy, path)), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		if (errno != EACCES)
			fail("open", copy, STATUS_NO_INPUT, fault);
		return;
	}
	error = fsync(fd) == 0 || errno == EINVAL ? 0 : errno;
	close(fd);
	errno = error;
	if (error != 0)
		fail("write", path, STATUS_IO, fault);
}

/* Ends a line that a killed program left torn. */
static bool
end_torn_line(struct append *append, int fd)
{
	char last = '\n';

	if (append->start > 0 && pread(fd, &last, 1, (off_t)append->start - 1) < 0)
		return false;
	if (last != '\n')
		output_add(&append->out, STR("\n"));
	return true;
}

static bool
begin(struct append *append, int fd, const char *path, struct fault *fault)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return fail("create", path, STATUS_CANT_CREATE, fault);
	if (!S_ISREG(st.st_mode))
		return fault_set(
		    fault, STATUS_CANT_CREATE, "cannot append to '%s': no regular file", path);
	if (retry_flock(fd) != 0)
		return fail("lock", path, STATUS_OS, fault);
	if (fstat(fd, &st) != 0)
		return fail("append to", path, STATUS_IO, fault);
	append->start = (uint64_t)st.st_size;
	output_init(&append->out, fd, path, fault);
	return end_torn_line(append, fd) || fail("read", path, STATUS_IO, fault);
}

bool
append_open(struct append *append, const char *path, struct fault *fault)
{
	int fd;

	/* A file that would grow over a limit of the system is an error of write(2) instead. */
	signal(SIGXFSZ, SIG_IGN);
	fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0600);
	if (fd < 0)
		return fail("create", path, STATUS_CANT_CREATE, fault);
	if (begin(append, fd, path, fault))
		return true;
	close(fd);
	return false;
}

void
append_close(struct append *append)
{
	struct output *out = &append->out;
	struct fault *fault = out->fault;

	output_flush(out);
	if (!fault_is_set(fault) && fsync(out->fd) != 0)
		fail("write", out->name, STATUS_IO, fault);
	if (!fault_is_set(fault) && append->start == 0)
		sync_directory(out->name, fault);
	if (fault_is_set(fault) && ftruncate(out->fd, (off_t)append->start) != 0)
		fail("write", out->name, STATUS_IO, fault); /* the first fault stays */
	output_close(out);
}
