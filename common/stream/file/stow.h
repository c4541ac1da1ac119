#ifndef FILE_STOW_H
#define FILE_STOW_H

/*
 * Bytes that are kept for later, most of them in a file without a name, in the directory for
 * temporary files. It goes with the program, however that ends. The newest bytes are in memory, so
 * that few need no file:
 *
 *     file [added first ......][added then ......]   pending [added last ..]
 *
 * Where there can be no such file, or it is full, nothing more is taken: the caller keeps what it
 * has. Of many stows only the first ones get files, so that descriptors are left for others.
 * STOW_INIT makes an empty one.
 */

#include "base/buf.h"
#include "base/fault.h"

struct stow {
	bool has_file;
	int fd;
	bool is_full;     /* nothing more is taken */
	uint64_t written; /* bytes of the file */
	struct buf pending;
};

#define STOW_INIT \
	{ \
		.has_file = false \
	}

/* Takes the bytes, and sets *at to where they are. Returns false when they are not taken. */
bool stow_add(struct stow *stow, struct str bytes, uint64_t *at);

/* Appends len bytes that were taken to buf. Returns false with the fault set (status 74) when they
 * cannot be read. */
bool stow_read(
    const struct stow *stow, uint64_t at, size_t len, struct buf *buf, struct fault *fault);

void stow_free(struct stow *stow);

#endif
