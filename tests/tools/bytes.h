#ifndef BYTES_H
#define BYTES_H

/*
 * What the programs of the tests share: strings that grow, and files in memory. The programs judge
 * ctx, so they have nothing of its library. An error ends the program with status 70 and a line on
 * standard error.
 */

#include <stdbool.h>
#include <stddef.h>

/* A string that grows; the caller frees ptr. A zeroed struct is an empty one. */
struct bytes {
	char *ptr;
	size_t len, cap;
};

void *more(void *ptr, size_t count, size_t size);
void bytes_put(struct bytes *b, const void *ptr, size_t len);
void bytes_putc(struct bytes *b, char c);
void bytes_puts(struct bytes *b, const char *s);
/* Appends all that is left of the open file. Returns false, with errno set, when it cannot be read. */
bool bytes_read(struct bytes *b, int fd);
/* Writes all of the bytes. Returns false, with errno set, when it cannot. */
bool bytes_write(const struct bytes *b, int fd);
/* A new file without a name that holds the bytes, open for reading and writing at its start. */
int bytes_file(const struct bytes *b);

#endif
