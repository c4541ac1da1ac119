#include "stream/file/stow.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"
#include "stream/file/durable.h"
#include "stream/file/temporary.h"

enum { PIECE = 1 << 18, FD_MAX = 64 };

static bool
open_file(struct stow *stow)
{
	durable_ignore_limit();
	stow->fd = open(temporary_directory(), O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
	stow->has_file = stow->fd >= 0 && stow->fd < FD_MAX;
	if (stow->fd >= FD_MAX)
		close(stow->fd);
	return stow->has_file;
}

/* Writes the pending texts. Those that cannot be written stay. */
static void
flush(struct stow *stow)
{
	stow->is_full = !(stow->has_file || open_file(stow)) ||
	    !file_write_all(stow->fd, buf_str(&stow->pending));
	if (stow->is_full)
		return;
	stow->written += stow->pending.len;
	buf_reset(&stow->pending);
}

void
stow_begin(struct stow *stow, struct buf *text)
{
	if (text->ptr == NULL) {
		*text = stow->spare;
		stow->spare = (struct buf)BUF_INIT;
	}
	buf_reset(text);
}

void
stow_drop(struct stow *stow, struct buf *text)
{
	if (text->ptr == NULL)
		return;
	buf_free(&stow->spare);
	stow->spare = *text;
	*text = (struct buf)BUF_INIT;
}

void
stow_put(struct stow *stow, struct buf *text, struct stow_place *stowed)
{
	if (stow->pending.len >= PIECE && !stow->is_full)
		flush(stow);
	if (stow->is_full || text->len == 0)
		return;
	*stowed = (struct stow_place){text->len, stow->written + stow->pending.len};
	buf_add_str(&stow->pending, buf_str(text));
	stow_drop(stow, text);
}

bool
stow_fetch(struct stow *stow, struct stow_place *stowed, struct buf *text, struct fault *fault)
{
	size_t len = stowed->len;
	char *to;

	if (len == 0)
		return true;
	stow_begin(stow, text);
	to = buf_reserve(text, len);
	stowed->len = 0;
	errno = EIO;
	if (stowed->at >= stow->written)
		memcpy(to, stow->pending.ptr + (stowed->at - stow->written), len);
	else if (file_read_at(stow->fd, to, len, stowed->at) != (ssize_t)len)
		return fault_set_error(fault, STATUS_IO, "cannot read the temporary file");
	text->len = len;
	return true;
}

void
stow_free(struct stow *stow)
{
	if (stow->has_file)
		close(stow->fd);
	buf_free(&stow->pending);
	buf_free(&stow->spare);
	*stow = (struct stow)STOW_INIT;
}
