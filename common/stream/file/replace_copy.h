#ifndef FILE_REPLACE_COPY_H
#define FILE_REPLACE_COPY_H

/*
 * The old file and the new file of a replacement, and copying between them. The new file is created
 * at the first byte of the new content that differs from the old file. Functions that fail set the
 * fault.
 */

#include "stream/file/locked.h"
#include "stream/output.h"

/* The name of the new file is the name of the old file between these two. */
#define REPLACE_NEW_HEAD "."
#define REPLACE_NEW_TAIL ".ctx-new"

/* The name of the new file until the rename, as a format of printf. */
#define REPLACE_COPY_NAME REPLACE_NEW_HEAD "%s" REPLACE_NEW_TAIL

enum { REPLACE_CHUNK = 1 << 16 };

struct replace_copy {
	struct output_filter filter; /* for the output of the new content */
	struct fault *fault;
	struct locked old;
	int new;       /* the temporary file, or -1 */
	uint64_t same; /* the number of first bytes of the content that are those of the old file */
};

/* Sets the fault. Returns false. */
bool replace_copy_fail(struct replace_copy *file, enum status status, const char *what);

/* Reads len bytes of the old file at offset at. Sets *got to the number of bytes, which is less
 * than len at the end of the file. Returns false when reading fails. */
bool replace_copy_read(
    struct replace_copy *file, char *bytes, size_t len, uint64_t at, size_t *got);

/* Appends bytes to the new file. */
bool replace_copy_write(struct replace_copy *file, const char *bytes, size_t len);

/* Appends bytes of the old file, from offset at to end or to the end of the file, to the new file.
 * Returns the offset after the last copied byte. When copying fails, the fault is set. */
uint64_t replace_copy_bytes(struct replace_copy *file, uint64_t at, uint64_t end);

/* Creates the new file with the content so far: the first bytes of the old file, same of them. */
bool replace_copy_create(struct replace_copy *file);

/* Takes the new content: the take function of filter (struct output_filter). */
size_t replace_copy_take(
    struct output_filter *filter, const struct iovec *span, unsigned count, int *fd);

#endif
