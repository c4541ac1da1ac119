#ifndef BASE_BUF_H
#define BASE_BUF_H

/*
 * A growable byte buffer that owns its bytes. BUF_INIT makes the empty one; buf_reset keeps the
 * memory for the next use.
 */

#include <stdarg.h>

#include "base/str.h"

struct buf {
	char *ptr;
	size_t len;
	size_t cap;
};

#define BUF_INIT {NULL, 0, 0}

enum { BUF_PADDING = 64 };

/* Grows buf by more bytes if it needs to; see buf_reserve. */
void buf_grow(struct buf *buf, size_t more);

/* Room for more bytes after len; returns where they start, never NULL. */
static inline char *
buf_reserve(struct buf *buf, size_t more)
{
	if (more >= buf->cap - buf->len)
		buf_grow(buf, more);
	return buf->ptr + buf->len;
}

/* Puts BUF_PADDING zero bytes behind what buf holds, for readers that read ahead. They are no part
 * of it: the next bytes that are added overwrite them. */
void buf_pad(struct buf *buf);

void buf_add(struct buf *buf, const void *ptr, size_t len);
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

static inline void
buf_reset(struct buf *buf)
{
	buf->len = 0;
}

/* What buf holds; valid until it is next changed. */
static inline struct str
buf_str(const struct buf *buf)
{
	return (struct str){buf->ptr, buf->len};
}

#endif
