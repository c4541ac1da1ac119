#ifndef FILE_FOLDER_H
#define FILE_FOLDER_H

/*
 * What is in the folders below a directory. Names may come from hostile text: below the directory
 * no symbolic link is followed, nothing but regular files and folders is seen, and no name leads
 * out. A path is a list of names, ended by NULL.
 *
 *     base / path[0] / path[1] / ...
 */

#include "base/arena.h"
#include "base/buf.h"
#include "base/fault.h"

struct folder_entry {
	const char *name;
	bool is_folder;
};

/* The regular files and folders of one folder, by the bytes of their names. Zeros are an empty one.
 */
struct folder {
	struct arena arena;
	struct folder_entry *entry;
	unsigned count, cap;
};

/* Lists the folder. One that is not there is empty. Returns false with the fault set when it cannot
 * be read; what could be is in the list. */
bool folder_open(
    struct folder *folder, const char *base, const char *const *path, struct fault *fault);

void folder_free(struct folder *folder);

/* Appends the bytes of the file, with BUF_PADDING readable bytes behind them. Returns 0, or an
 * error number: ENOENT where there is no such file, EFBIG where it has more than limit bytes, of
 * which so many were read; with any other one the fault is set. */
int folder_read(
    const char *base, const char *const *path, size_t limit, struct buf *buf, struct fault *fault);

#endif
