#include "base/file.h"

#include <fcntl.h>
#include <poll.h>

enum { READ_SIZE = 1 << 16 };

const char *
file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

const char *
file_split(char *path, const char **name)
{
	char *slash = strrchr(path, '/');

	*name = file_name(path);
	if (slash == NULL)
		return ".";
	*slash = '\0';
	return slash == path ? "/" : path;
}

ssize_t
file_read_some(int fd, struct buf *buf)
{
	char *to = buf_reserve(buf, READ_SIZE);
	ssize_t n;

	do
		n = read(fd, to, READ_SIZE);
	while (n < 0 && errno == EINTR);
	buf->len += n > 0 ? (size_t)n : 0;
	return n;
}

bool
file_write_all(int fd, struct str bytes)
{
	while (bytes.len > 0) {
		ssize_t n = write(fd, bytes.ptr, bytes.len);

		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return false;
		bytes = str_rest(bytes, n > 0 ? (size_t)n : 0);
	}
	return true;
}

ssize_t
file_read_at(int fd, char *bytes, size_t len, uint64_t at)
{
	size_t done = 0;

	while (done < len) {
		ssize_t n = pread(fd, bytes + done, len - done, (off_t)(at + done));

		if (n == 0)
			break;
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return -1;
		done += n > 0 ? (size_t)n : 0;
	}
	return (ssize_t)done;
}

int
file_read_all(int fd, size_t limit, struct buf *buf)
{
	size_t start = buf->len;

	while (buf->len - start <= limit) {
		ssize_t n = file_read_some(fd, buf);

		if (n == 0)
			return 0;
		if (n < 0 && errno != EAGAIN)
			return errno;
		if (n < 0)
			poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, -1);
	}
	return EFBIG;
}

bool
file_read(const char *path, size_t limit, struct buf *buf, struct fault *fault)
{
	bool is_stdin = file_is_stdin(path);
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	int error;

	if (fd < 0)
		return fault_set_error(fault, STATUS_NO_INPUT, "cannot open '%s'", path);
	error = file_read_all(fd, limit, buf);
	if (!is_stdin)
		close(fd);
	buf_pad(buf);
	if (error == EISDIR)
		return fault_set(fault, STATUS_NO_INPUT, "cannot read '%s': is a directory", path);
	return error == 0 ||
	    fault_set(fault, error == EFBIG ? STATUS_NO_INPUT : status_of_error(error, STATUS_IO),
		"cannot read '%s': %s", path, strerror(error));
}
