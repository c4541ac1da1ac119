#ifndef BASE_BUF_H
#define BASE_BUF_H

/*
 * A growable byte buffer that owns its bytes. BUF_INIT makes an empty buffer. buf_reset empties a
 * buffer and keeps its memory for the next use.
 */

#include <stdarg.h>
#include <stdint.h>

#include "base/str.h"

struct buf {
	char *ptr;
	size_t len;
	size_t cap;
};

#define BUF_INIT \
	{ \
		NULL, 0, 0 \
	}

enum { BUF_PADDING = 64 };

/* Makes room for more bytes after len. Called by buf_reserve alone, when the room is too small. */
void buf_grow(struct buf *buf, size_t more);

/* Makes room for more bytes after len. Returns the start of that room, never NULL. */
static inline char *
buf_reserve(struct buf *buf, size_t more)
{
	if (more >= buf->cap - buf->len)
		buf_grow(buf, more);
	return buf->ptr + buf->len;
}

/* Puts BUF_PADDING zero bytes after the content of buf, for readers that read ahead. The zero bytes
 * do not count as content, and the next bytes that are added overwrite them. */
void buf_pad(struct buf *buf);

static inline void
buf_add(struct buf *buf, const void *ptr, size_t len)
{
	char *to = buf_reserve(buf, len);

	if (len > 0)
		memcpy(to, ptr, len);
	buf->len += len;
}

/* Appends the bytes as hexadecimal digits, in lower case. */
void buf_add_hex(struct buf *buf, const uint8_t *bytes, size_t len);

void buf_add_fmt(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_add_args(struct buf *buf, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
void buf_free(struct buf *buf);

static inline void
buf_add_str(struct buf *buf, struct str s)
{
	buf_add(buf, s.ptr, s.len);
}

static inline void
buf_add_char(struct buf *buf, char c)
{
	*buf_reserve(buf, 1) = c;
	buf->len++;
}

/* Appends a LF, unless buf is empty or ends with one. */
static inline void
buf_end_line(struct buf *buf)
{
	if (buf->len > 0 && buf->ptr[buf->len - 1] != '\n')
		buf_add_char(buf, '\n');
}

static inline void
buf_reset(struct buf *buf)
{
	buf->len = 0;
}

/* Replaces the content of buf by a copy of s. s must not point into buf. */
static inline void
buf_set(struct buf *buf, struct str s)
{
	buf_reset(buf);
	buf_add_str(buf, s);
}

/* The content of buf, which still owns the bytes; valid until buf is changed. */
static inline struct str
buf_str(const struct buf *buf)
{
	return (struct str){buf->ptr, buf->len};
}

#endif
