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

/* Whether a and b are states of the same file. */
static inline bool
file_is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Closes the file. Returns false with errno set when that fails. EINTR is no failure: the file is
 * closed then, too. */
static inline bool
file_close(int fd)
{
	return close(fd) == 0 || errno == EINTR;
}

/* The last name in path: the part after its last slash, or all of path. Points into path. */
const char *file_name(const char *path);

/* Splits path in place. Returns the directory, and sets *name to the name in it. */
const char *file_split(char *path, const char **name);

/* Appends the bytes that can be read at once, 64 KB at most. Waits for the first byte, unless fd is
 * non-blocking. Returns the number of bytes, 0 at the end of the file, or -1 with errno set, which
 * is never EINTR. */
ssize_t file_read_some(int fd, struct buf *buf);

/* Reads len bytes at offset at, or fewer at the end of the file. Returns the number of bytes, or -1
 * with errno set. */
ssize_t file_read_at(int fd, char *bytes, size_t len, uint64_t at);

/* Writes all bytes. Returns false with errno set when that fails; then some may be written. */
bool file_write_all(int fd, struct str bytes);

/* Appends the bytes up to the end of the file. Returns 0 or an error number. EFBIG: the file has
 * more than limit bytes, and the first limit bytes were appended. */
int file_read_all(int fd, size_t limit, struct buf *buf);

/*
 * Appends the bytes of the file at path to buf, with BUF_PADDING readable bytes after them. The
 * path "-" means standard input. Returns false with the fault set when the file cannot be opened,
 * is a directory, or has more than limit bytes (status 66), and when reading fails (74).
 */
bool file_read(const char *path, size_t limit, struct buf *buf, struct fault *fault);

#endif
