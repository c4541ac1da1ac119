#include "stream/file/stow.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"
#include "stream/file/temporary.h"

enum { PIECE = 1 << 18, FD_MAX = 64 };

static bool
write_all(int fd, struct str bytes)
{
	while (bytes.len > 0) {
		ssize_t len = write(fd, bytes.ptr, bytes.len);

		if (len < 0 && errno != EINTR)
			return false;
		bytes = str_rest(bytes, len > 0 ? (size_t)len : 0);
	}
	return true;
}

static bool
open_file(struct stow *stow)
{
	stow->fd = open(temporary_directory(), O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
	stow->has_file = stow->fd >= 0 && stow->fd < FD_MAX;
	if (stow->fd >= FD_MAX)
		close(stow->fd);
	return stow->has_file;
}

/* Writes what is pending. What cannot be written stays. */
static void
flush(struct stow *stow)
{
	stow->is_full =
	    !(stow->has_file || open_file(stow)) || !write_all(stow->fd, buf_str(&stow->pending));
	if (stow->is_full)
		return;
	stow->written += stow->pending.len;
	buf_reset(&stow->pending);
}

bool
stow_add(struct stow *stow, struct str bytes, uint64_t *at)
{
	if (stow->pending.len >= PIECE && !stow->is_full)
		flush(stow);
	if (stow->is_full)
		return false;
	*at = stow->written + stow->pending.len;
	buf_add_str(&stow->pending, bytes);
	return true;
}

bool
stow_read(const struct stow *stow, uint64_t at, size_t len, struct buf *buf, struct fault *fault)
{
	char *to = buf_reserve(buf, len);

	if (at >= stow->written) {
		memcpy(to, stow->pending.ptr + (at - stow->written), len);
	} else {
		errno = EIO;
		if (file_read_at(stow->fd, to, len, at) != (ssize_t)len)
			return fault_set_error(fault, STATUS_IO, "cannot read the temporary file");
	}
	buf->len += len;
	return true;
}

void
stow_free(struct stow *stow)
{
	if (stow->has_file)
		close(stow->fd);
	buf_free(&stow->pending);
	*stow = (struct stow)STOW_INIT;
}
