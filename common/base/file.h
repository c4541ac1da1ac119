#ifndef BASE_FILE_H
#define BASE_FILE_H

/*
 * Files and their names; reading a whole file that an option names. The stream is read by
 * stream/input.h instead.
 */

#include <errno.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/fault.h"

/* Whether the operand or argument means standard input. */
static inline bool
file_is_stdin(const char *path)
{
	return strcmp(path, "-") == 0;
}

/* Whether both are states of one file. */
static inline bool
file_is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Closes the file. Returns false with errno set when that fails; after EINTR it is closed, too. */
static inline bool
file_close(int fd)
{
	return close(fd) == 0 || errno == EINTR;
}

/* The name in its directory: what is behind the last slash of path. */
const char *file_name(const char *path);

/* Splits path into a directory, which is returned, and the name in it. */
const char *file_split(char *path, const char **name);

/* Appends the bytes that are there to read, 64 KB at most; waits for the first one unless fd does
 * not block. Returns how many, 0 at the end, or -1 with errno set, never to EINTR. */
ssize_t file_read_some(int fd, struct buf *buf);

/* Reads len bytes at offset at, or up to the end of the file. Returns how many, or -1 with errno
 * set. */
ssize_t file_read_at(int fd, char *bytes, size_t len, uint64_t at);

/* Writes all bytes. Returns false with errno set where it cannot, and some may be written. */
bool file_write_all(int fd, struct str bytes);

/* Appends the bytes up to the end of the file. Returns 0, or an error number: EFBIG where there are
 * more bytes than limit, of which so many were read. */
int file_read_all(int fd, size_t limit, struct buf *buf);

/*
 * Appends the bytes of the file at path to buf, with BUF_PADDING readable bytes behind them. The
 * path "-" means standard input. Returns false with the fault set when the file cannot be opened,
 * is a directory, or has more than limit bytes (status 66), and when reading fails (74).
 */
bool file_read(const char *path, size_t limit, struct buf *buf, struct fault *fault);

#endif
