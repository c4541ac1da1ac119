#include "stream/file/file_look.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "stream/process/unzstd.h"

/* The callback gets whole lines; lines longer than the second number are not searched. */
enum { READ_SIZE = 1 << 18, LINE_LONG = 1 << 26 };

static bool
is_packed(struct str bytes)
{
	return str_has_prefix(bytes, STR(UNZSTD_MAGIC));
}

/* The whole lines of the bytes, and at the end of the file all of them. */
static struct str
whole_lines(struct str bytes, bool is_end)
{
	if (!is_end)
		bytes.len -= str_behind_last(bytes, '\n').len;
	return bytes;
}

static bool
look_at(int fd, bool (*look)(void *self, struct str lines), void *self, bool *failed)
{
	struct buf bytes = BUF_INIT;
	struct str lines;
	ssize_t len = READ_SIZE;
	bool found = false;

	for (uint64_t at = 0; !found && len == READ_SIZE; at += READ_SIZE) {
		len = file_read_at(fd, buf_reserve(&bytes, READ_SIZE), READ_SIZE, at);
		bytes.len += len > 0 ? (size_t)len : 0;
		*failed = len < 0;
		if (len < 0 || bytes.len > LINE_LONG || (at == 0 && is_packed(buf_str(&bytes)))) {
			found = true;
			break;
		}
		lines = whole_lines(buf_str(&bytes), len < READ_SIZE);
		found = look(self, lines);
		bytes.len -= lines.len;
		memmove(bytes.ptr, bytes.ptr + lines.len, bytes.len);
	}
	buf_free(&bytes);
	return found;
}

bool
file_look(
    const char *path, bool (*look)(void *self, struct str lines), void *self, struct fault *fault)
{
	bool is_stdin = file_is_stdin(path), found, failed = false;
	struct stat st;
	int fd = STDIN_FILENO;

	/* A pipe that is opened would have one more reader. */
	if ((is_stdin ? fstat(fd, &st) : stat(path, &st)) != 0 || !S_ISREG(st.st_mode))
		return true;
	if (!is_stdin)
		fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return !fault_set_error(fault, STATUS_NO_INPUT, "cannot open '%s'", path);
	found = look_at(fd, look, self, &failed);
	if (failed)
		fault_set_error(fault, STATUS_IO, "cannot read '%s'", path);
	if (!is_stdin)
		close(fd);
	return found;
}

static bool
has_word(void *self, struct str lines)
{
	for (const char *const *words = self; *words != NULL; words++)
		if (str_find(lines, str_from(*words)) != NULL)
			return true;
	return false;
}

bool
file_look_words(const char *path, const char *const *words, struct fault *fault)
{
	return file_look(path, has_word, (void *)words, fault);
}
