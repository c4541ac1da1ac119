#ifndef FILE_STOW_H
#define FILE_STOW_H

/*
 * Keeps bytes for later, most of them in a file without a name in the directory for temporary
 * files. The system removes the file when the program ends, however it ends. The newest bytes are
 * in memory, so that few bytes need no file:
 *
 *     file [added first ......][added then ......]   pending [added last ..]
 *
 * When the file cannot be created, the disk is full, or the file would grow over a limit of the
 * system, the stow takes no more bytes: the caller keeps them. Of many stows only the first ones
 * get files, so that descriptors are left for others.
 * STOW_INIT makes an empty one.
 */

#include "base/buf.h"
#include "base/fault.h"

struct stow {
	bool has_file;
	int fd;
	bool is_full;       /* the stow takes no more bytes */
	uint64_t written;   /* bytes of the file */
	struct buf pending; /* the bytes that are not in the file yet */
	struct buf spare;   /* memory of a text that was taken, for the next text */
};

/* The place of a text that was taken. */
struct stow_place {
	size_t len;  /* its bytes; 0: no text was taken */
	uint64_t at; /* its offset in all bytes of the stow */
};

#define STOW_INIT \
	{ \
		.has_file = false \
	}

/* Makes text empty, with the spare memory if there is some. */
void stow_begin(struct stow *stow, struct buf *text);

/* Frees the text. Its memory may become the spare memory. */
void stow_drop(struct stow *stow, struct buf *text);

/* Takes the text, which is empty after that. A text that cannot be taken stays as it is. */
void stow_put(struct stow *stow, struct buf *text, struct stow_place *stowed);

/* Sets text to the text that was taken at that place, if any. Returns false with the fault set
 * (status 74) when reading fails. */
bool stow_fetch(
    struct stow *stow, struct stow_place *stowed, struct buf *text, struct fault *fault);

void stow_free(struct stow *stow);

#endif
