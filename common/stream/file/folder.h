#ifndef FILE_FOLDER_H
#define FILE_FOLDER_H

/*
 * Reads the folders and files below a directory. Names may come from hostile text. So no symbolic
 * link below the directory is followed, only regular files and folders are seen, and no name leads
 * out of the directory. A path is a list of names, ended by NULL.
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

/* The regular files and folders of one folder, sorted by the bytes of their names. Zeros make an
 * empty list. The names live in the arena. */
struct folder {
	struct arena arena;
	struct folder_entry *entry;
	unsigned count, cap;
};

/* Lists the folder. A folder that does not exist gives an empty list. Returns false with the fault
 * set when the folder cannot be read; the list then has the part that could be read. */
bool folder_open(
    struct folder *folder, const char *base, const char *const *path, struct fault *fault);

void folder_free(struct folder *folder);

/* Appends the bytes of the file, with BUF_PADDING readable bytes after them. Returns 0 or an error
 * number. ENOENT: there is no such file. EFBIG: the file has more than limit bytes, and the first
 * limit bytes were appended. For any other error number the fault is set. */
int folder_read(
    const char *base, const char *const *path, size_t limit, struct buf *buf, struct fault *fault);

#endif
