#include "stream/file/replace_copy.h"

#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "stream/file/attributes.h"
#include "stream/file/durable.h"
#include "stream/file/temporary.h"

bool
replace_copy_fail(struct replace_copy *file, enum status status, const char *what)
{
	return fault_set_error(file->fault, status, "%s", what);
}

bool
replace_copy_read(struct replace_copy *file, char *bytes, size_t len, uint64_t at, size_t *got)
{
	ssize_t n = file_read_at(file->old.fd, bytes, len, at);

	*got = n > 0 ? (size_t)n : 0;
	return n >= 0 || replace_copy_fail(file, STATUS_IO, "cannot read it");
}

bool
replace_copy_write(struct replace_copy *file, const char *bytes, size_t len)
{
	return file_write_all(file->new, str_of(bytes, len)) ||
	    replace_copy_fail(file, STATUS_IO, "cannot write the new file");
}

uint64_t
replace_copy_bytes(struct replace_copy *file, uint64_t at, uint64_t end)
{
	char bytes[REPLACE_CHUNK];

	while (at < end) {
		size_t got;

		if (!replace_copy_read(file, bytes,
			end - at < REPLACE_CHUNK ? (size_t)(end - at) : REPLACE_CHUNK, at, &got) ||
		    got == 0 || !replace_copy_write(file, bytes, got))
			break;
		at += got;
	}
	return at;
}

bool
replace_copy_create(struct replace_copy *file)
{
	char name[NAME_MAX + 16];

	snprintf(name, sizeof name, REPLACE_COPY_NAME, file->old.name);
	file->new = temporary_create(TEMPORARY_REPLACING, file->old.directory, name);
	if (file->new < 0)
		return replace_copy_fail(
		    file, STATUS_CANT_CREATE, "cannot create a file beside it");
	if (!durable_lock(file->new))
		return replace_copy_fail(file, STATUS_OS, "cannot lock the new file");
	if (!attributes_copy(file->old.fd, &file->old.st, file->new, file->fault))
		return false;
	return replace_copy_bytes(file, 0, file->same) == file->same ||
	    fault_set(file->fault, STATUS_LATER, "was changed meanwhile; try again later");
}

/* The number of bytes of the span that the old file has, too, where the content has come to. */
static size_t
count_same(struct replace_copy *file, struct str span)
{
	char bytes[REPLACE_CHUNK];
	size_t at = 0, got, len;

	while (at < span.len) {
		len = span.len - at < REPLACE_CHUNK ? span.len - at : REPLACE_CHUNK;
		if (!replace_copy_read(file, bytes, len, file->same + at, &got) || got < len ||
		    memcmp(bytes, span.ptr + at, len) != 0)
			break;
		at += len;
	}
	return at;
}

size_t
replace_copy_take(struct output_filter *filter, const struct iovec *span, unsigned count, int *fd)
{
	struct replace_copy *file = (struct replace_copy *)filter;
	size_t taken = 0, same;

	if (file->new >= 0)
		return 0;
	for (unsigned i = 0; i < count; i++) {
		same = count_same(file, str_of(span[i].iov_base, span[i].iov_len));
		file->same += same;
		taken += same;
		if (same < span[i].iov_len)
			break;
		if (i + 1 == count)
			return taken;
	}
	if (!fault_is_set(file->fault) && replace_copy_create(file))
		*fd = file->new;
	return taken;
}
