#include "stream/file/file_words.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

enum { READ_SIZE = 1 << 18 };

static bool
has_one(struct str bytes, const char *const *words)
{
	for (; *words != NULL; words++)
		if (str_find(bytes, str_from(*words)) != NULL)
			return true;
	return false;
}

/* Reads pieces that overlap, so that no word is parted. */
static bool
may_have(int fd, const char *const *words)
{
	char *bytes = mem_alloc(READ_SIZE, 1);
	ssize_t len = READ_SIZE;
	bool found = false;

	for (uint64_t at = 0; !found && len == READ_SIZE; at += READ_SIZE - FILE_WORDS_MAX) {
		len = file_read_at(fd, bytes, READ_SIZE, at);
		found = len < 0 || has_one(str_of(bytes, (size_t)len), words);
	}
	free(bytes);
	return found;
}

bool
file_words_may_be_in(const char *path, const char *const *words)
{
	bool is_stdin = file_is_stdin(path), found;
	struct stat st;
	int fd = STDIN_FILENO;

	/* A pipe that is opened would have one more reader. */
	if ((is_stdin ? fstat(fd, &st) : stat(path, &st)) != 0 || !S_ISREG(st.st_mode))
		return true;
	if (!is_stdin)
		fd = open(path, O_RDONLY | O_CLOEXEC);
	found = fd < 0 || may_have(fd, words);
	if (fd >= 0 && !is_stdin)
		close(fd);
	return found;
}
