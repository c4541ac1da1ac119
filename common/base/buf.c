#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

enum { BUF_MIN = 64 };

void
buf_grow(struct buf *buf, size_t more)
{
	size_t need;

	if (__builtin_add_overflow(buf->len, more, &need))
		mem_exhausted();
	if (need > buf->cap || buf->cap == 0) {
		buf->cap = mem_grow(buf->cap, need < BUF_MIN ? BUF_MIN : need);
		buf->ptr = mem_realloc(buf->ptr, buf->cap, 1);
	}
}

void
buf_pad(struct buf *buf)
{
	memset(buf_reserve(buf, BUF_PADDING), 0, BUF_PADDING);
}

void
buf_add_args(struct buf *buf, const char *format, va_list args)
{
	char *end = buf_reserve(buf, 1);
	size_t room = buf->cap - buf->len;
	va_list again;
	int len;

	va_copy(again, args);
	len = vsnprintf(end, room, format, args);
	if (len > 0 && (size_t)len >= room)
		vsnprintf(buf_reserve(buf, (size_t)len + 1), (size_t)len + 1, format, again);
	buf->len += len > 0 ? (size_t)len : 0;
	va_end(again);
}

void
buf_add_fmt(struct buf *buf, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	buf_add_args(buf, format, args);
	va_end(args);
}

void
buf_free(struct buf *buf)
{
	free(buf->ptr);
	*buf = (struct buf)BUF_INIT;
}

void
buf_add_hex(struct buf *buf, const uint8_t *bytes, size_t len)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < len; i++) {
		buf_add_char(buf, digits[bytes[i] >> 4]);
		buf_add_char(buf, digits[bytes[i] & 15]);
	}
}
