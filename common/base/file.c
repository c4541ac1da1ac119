#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

enum { READ_SIZE = 1 << 16 };

/* Reads until the end of the file, or until there are more bytes than limit. Returns 0, or an
 * error number. */
static int
read_all(int fd, size_t limit, struct buf *buf)
{
	size_t start = buf->len;

	while (buf->len - start <= limit) {
		ssize_t n = read(fd, buf_reserve(buf, READ_SIZE), READ_SIZE);

		if (n == 0)
			return 0;
		if (n > 0) {
			buf->len += (size_t)n;
		} else if (errno == EAGAIN) {
			struct pollfd ready = {.fd = fd, .events = POLLIN};

			poll(&ready, 1, -1);
		} else if (errno != EINTR) {
			return errno;
		}
	}
	return EFBIG;
}

bool
file_read(const char *path, size_t limit, struct buf *buf, struct fault *fault)
{
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	int error;

	if (fd < 0)
		return fault_set(fault, status_of_error(errno, STATUS_NO_INPUT),
		    "cannot open '%s': %s", path, strerror(errno));
	error = read_all(fd, limit, buf);
	if (!is_stdin)
		close(fd);
	buf_pad(buf);
	if (error == EISDIR)
		return fault_set(fault, STATUS_NO_INPUT, "cannot read '%s': is a directory", path);
	return error == 0 ||
	    fault_set(fault, error == EFBIG ? STATUS_NO_INPUT : status_of_error(error, STATUS_IO),
		"cannot read '%s': %s", path, strerror(error));
}
