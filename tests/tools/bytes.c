#include "bytes.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Room for count elements of that size each. */
void *
more(void *ptr, size_t count, size_t size)
{
	ptr = reallocarray(ptr, count, size);
	if (ptr == NULL && count > 0)
		err(70, "memory");
	return ptr;
}

static void
reserve(struct bytes *b, size_t len)
{
	if (b->cap - b->len >= len)
		return;
	b->cap = b->cap * 2 > b->len + len ? b->cap * 2 : b->len + len + 64;
	b->ptr = more(b->ptr, b->cap, 1);
}

void
bytes_put(struct bytes *b, const void *ptr, size_t len)
{
	reserve(b, len);
	if (len > 0)
		memcpy(b->ptr + b->len, ptr, len);
	b->len += len;
}

void
bytes_putc(struct bytes *b, char c)
{
	bytes_put(b, &c, 1);
}

void
bytes_puts(struct bytes *b, const char *s)
{
	bytes_put(b, s, strlen(s));
}

bool
bytes_read(struct bytes *b, int fd)
{
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		reserve(b, (size_t)st.st_size + 1);
	do {
		reserve(b, 4096);
		n = read(fd, b->ptr + b->len, b->cap - b->len);
		if (n > 0)
			b->len += (size_t)n;
	} while (n > 0 || (n == -1 && errno == EINTR));
	return n == 0;
}

bool
bytes_write(const struct bytes *b, int fd)
{
	size_t done;
	ssize_t n;

	for (done = 0; done < b->len; done += (size_t)n) {
		n = write(fd, b->ptr + done, b->len - done);
		if (n == -1 && errno == EINTR)
			n = 0;
		if (n == -1)
			return false;
	}
	return true;
}

int
bytes_file(const struct bytes *b)
{
	int fd = memfd_create("bytes", MFD_CLOEXEC);

	if (fd == -1 || !bytes_write(b, fd) || lseek(fd, 0, SEEK_SET) == -1)
		err(70, "a file in memory");
	return fd;
}
