#include "stream/output.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

enum { SCRATCH_MAX = 1 << 18 }; /* with so many copied bytes a flush pays */

void
output_init(struct output *out, int fd, const char *name, struct fault *fault)
{
	*out = (struct output){.fd = fd, .name = name, .scratch = BUF_INIT, .fault = fault};
}

static void
fail(const struct output *out)
{
	if (errno == EPIPE)
		fault_set(out->fault, STATUS_PIPE, "%s", "");
	else
		fault_set(
		    out->fault, STATUS_IO, "cannot write to %s: %s", out->name, strerror(errno));
}

/* Drops written bytes from the front of the spans; returns the first span that is left. */
static unsigned
advance(struct iovec *span, unsigned first, unsigned count, size_t written)
{
	while (first < count && written >= span[first].iov_len)
		written -= span[first++].iov_len;
	if (written > 0) {
		span[first].iov_base = (char *)span[first].iov_base + written;
		span[first].iov_len -= written;
	}
	return first;
}

void
output_flush(struct output *out)
{
	unsigned first = 0;

	if (out->filter != NULL && out->count > 0 && !fault_is_set(out->fault))
		first = advance(out->span, 0, out->count,
		    out->filter->take(out->filter, out->span, out->count, &out->fd));
	while (first < out->count && !fault_is_set(out->fault)) {
		ssize_t n = writev(out->fd, out->span + first, (int)(out->count - first));

		if (n >= 0)
			first = advance(out->span, first, out->count, (size_t)n);
		else if (errno == EAGAIN || errno == EWOULDBLOCK) {
			struct pollfd ready = {.fd = out->fd, .events = POLLOUT};

			if (poll(&ready, 1, -1) < 0 && errno != EINTR)
				fail(out);
		} else if (errno != EINTR) {
			fail(out);
		}
	}
	out->count = 0;
	buf_reset(&out->scratch);
	for (size_t i = 0; i < out->kept.count; i++)
		block_drop(out->kept.block[i]);
	out->kept.count = 0;
}

void
output_reserve(struct output *out)
{
	if (out->span == NULL)
		out->span = mem_alloc(OUTPUT_SPANS, sizeof *out->span);
}

void
output_add(struct output *out, struct str bytes)
{
	struct iovec *last = out->count > 0 ? &out->span[out->count - 1] : NULL;

	if (bytes.len == 0)
		return;
	out->bytes += bytes.len;
	out->open_line = bytes.ptr[bytes.len - 1] != '\n';
	if (last != NULL && (const char *)last->iov_base + last->iov_len == bytes.ptr) {
		last->iov_len += bytes.len;
		return;
	}
	if (out->count == OUTPUT_SPANS)
		output_flush(out);
	output_reserve(out);
	out->span[out->count++] = (struct iovec){(char *)bytes.ptr, bytes.len};
}

void
output_keep(struct output *out, struct str bytes, struct block *block)
{
	output_add(out, bytes);
	block_list_add(&out->kept, block);
}

void
output_copy(struct output *out, struct str bytes)
{
	if (bytes.len > SCRATCH_MAX) { /* many bytes: write them at once, without a copy */
		output_add(out, bytes);
		output_flush(out);
		return;
	}
	/* Spans point into scratch, so scratch must not move: flush before scratch would grow.
	 * Flush also before output_add would, since a flush empties scratch. */
	if (out->scratch.len + bytes.len > out->scratch.cap || out->count == OUTPUT_SPANS) {
		output_flush(out);
		buf_reserve(&out->scratch, SCRATCH_MAX);
	}
	buf_add_str(&out->scratch, bytes);
	output_add(out, str_of(out->scratch.ptr + out->scratch.len - bytes.len, bytes.len));
}

void
output_begin_record(struct output *out)
{
	if (out->open_line)
		output_add(out, STR("\n"));
}

void
output_free(struct output *out)
{
	free(out->span);
	out->span = NULL;
	buf_free(&out->scratch);
	block_list_free(&out->kept);
}

void
output_close(struct output *out)
{
	output_flush(out);
	output_free(out);
	if (out->filter != NULL)
		return;
	if (!file_close(out->fd))
		fail(out);
	out->fd = -1;
}
