#include "stream/file/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/list.h"

/* Whether the name can be that of an entry in a folder, and does not lead out of the folder. */
static bool
is_name(struct str name)
{
	return name.len > 0 && memchr(name.ptr, '/', name.len) == NULL && !str_eq(name, STR(".")) &&
	    !str_eq(name, STR(".."));
}

/* Opens the file at the path. Returns -1 with errno set when it does not exist. */
static int
open_below(const char *base, const char *const *path, bool is_folder)
{
	int fd = open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	for (; fd >= 0 && *path != NULL; path++) {
		int flags = path[1] != NULL || is_folder ? O_DIRECTORY : O_NONBLOCK, inner, error;

		errno = ENOENT;
		inner = is_name(str_from(*path)) ?
		    openat(fd, *path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags) :
		    -1;
		error = errno;
		close(fd);
		errno = error;
		fd = inner;
	}
	return fd;
}

static int
compare(const void *a, const void *b)
{
	return strcmp(
	    ((const struct folder_entry *)a)->name, ((const struct folder_entry *)b)->name);
}

/* Whether the error says that there is no such folder below the directory. */
static bool
is_absent(int error)
{
	return error == ENOENT || error == ENOTDIR || error == ELOOP;
}

/* Lists the readable entries, and closes list. Returns 0, or an error number. */
static int
read_entries(struct folder *folder, DIR *list)
{
	const struct dirent *entry;
	struct stat st;
	int error = 0;

	while ((errno = 0, entry = readdir(list)) != NULL) {
		struct str name = str_from(entry->d_name);

		if (!is_name(name))
			continue;
		if (fstatat(dirfd(list), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
			error = is_absent(errno) ? error : errno;
			continue;
		}
		if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
			continue;
		LIST_ADD(folder->entry, folder->count, folder->cap,
		    (struct folder_entry){
			arena_copy_padded(&folder->arena, name).ptr, S_ISDIR(st.st_mode)});
	}
	error = errno != 0 ? errno : error;
	closedir(list);
	return error;
}

/* Sets the fault for the path that could not be read: base, and the names below it. */
static bool
set_fault(
    struct fault *fault, enum status status, const char *base, const char *const *path, int error)
{
	struct buf name = BUF_INIT;

	buf_add_fmt(&name, "%s", base);
	for (; *path != NULL; path++)
		buf_add_fmt(&name, "/%s", *path);
	errno = error;
	fault_set_error(fault, status, "cannot read '%.*s'", (int)name.len, name.ptr);
	buf_free(&name);
	return false;
}

bool
folder_open(struct folder *folder, const char *base, const char *const *path, struct fault *fault)
{
	int fd = open_below(base, path, true), error = fd < 0 ? errno : 0;
	DIR *list = fd >= 0 ? fdopendir(fd) : NULL;

	*folder = (struct folder){.arena = ARENA_INIT};
	if (list != NULL) {
		error = read_entries(folder, list);
	} else if (fd >= 0) {
		error = errno;
		close(fd);
	}
	if (folder->count > 0)
		qsort(folder->entry, folder->count, sizeof *folder->entry, compare);
	return error == 0 || is_absent(error) ||
	    set_fault(fault, STATUS_NO_INPUT, base, path, error);
}

void
folder_free(struct folder *folder)
{
	arena_free(&folder->arena);
	free(folder->entry);
}

int
folder_read(
    const char *base, const char *const *path, size_t limit, struct buf *buf, struct fault *fault)
{
	int fd = open_below(base, path, false), error = fd < 0 ? errno : 0;
	bool is_open = fd >= 0;
	struct stat st;

	if (error == 0 && fstat(fd, &st) != 0)
		error = errno;
	else if (error == 0)
		error = S_ISREG(st.st_mode) ? file_read_all(fd, limit, buf) : ENOENT;
	if (is_open)
		close(fd);
	buf_pad(buf);
	if (is_absent(error))
		error = ENOENT;
	else if (error != 0 && error != EFBIG)
		set_fault(fault, is_open ? STATUS_IO : STATUS_NO_INPUT, base, path, error);
	return error;
}
