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
	struct buf spare; /* the memory of a text that was taken, for the next */
};

/* A text that was taken: where it is. */
struct stow_place {
	size_t len; /* 0: none was */
	uint64_t at;
};

#define STOW_INIT \
	{ \
		.has_file = false \
	}

/* Makes text an empty one, with memory that is spare. */
void stow_begin(struct stow *stow, struct buf *text);

/* Frees the text, whose memory is used again. */
void stow_drop(struct stow *stow, struct buf *text);

/* Takes the text, which is empty then. One that cannot be taken stays. */
void stow_put(struct stow *stow, struct buf *text, struct stow_place *stowed);

/* Sets text to what was taken, if anything was. Returns false with the fault set (status 74) when
 * it cannot be read. */
bool stow_fetch(
    struct stow *stow, struct stow_place *stowed, struct buf *text, struct fault *fault);

void stow_free(struct stow *stow);

#endif
