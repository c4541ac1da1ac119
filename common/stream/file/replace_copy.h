#ifndef FILE_REPLACE_COPY_H
#define FILE_REPLACE_COPY_H

/*
 * The bytes of a file that is replaced, and of the new file beside it. The new file is made with
 * the first byte of the new content that the old file does not have. What fails sets the fault.
 */

#include "stream/file/locked.h"
#include "stream/output.h"

/* What is before and behind the name of the old file in that of the new one. */
#define REPLACE_NEW_HEAD "."
#define REPLACE_NEW_TAIL ".ctx-new"

/* The name of the new file until it has that of the old one. */
#define REPLACE_COPY_NAME REPLACE_NEW_HEAD "%s" REPLACE_NEW_TAIL

enum { REPLACE_CHUNK = 1 << 16 };

struct replace_copy {
	struct output_filter filter; /* for the output of the new content */
	struct fault *fault;
	struct locked old;
	int new;       /* the temporary file, or -1 */
	uint64_t same; /* so many bytes of the content are those of the old file */
};

/* Sets the fault. Returns false. */
bool replace_copy_fail(struct replace_copy *file, enum status status, const char *what);

/* Reads bytes of the old file; *got is less than len at its end. */
bool replace_copy_read(
    struct replace_copy *file, char *bytes, size_t len, uint64_t at, size_t *got);

/* Appends bytes to the new file. */
bool replace_copy_write(struct replace_copy *file, const char *bytes, size_t len);

/* Copies bytes of the old file, from at to end or to its own end, to the new one. Returns where it
 * came to; the fault tells whether that was all. */
uint64_t replace_copy_bytes(struct replace_copy *file, uint64_t at, uint64_t end);

/* Makes the new file, with what of the content has come: the first bytes of the old one. */
bool replace_copy_create(struct replace_copy *file);

/* Takes the new content, as the take of struct output_filter does. */
size_t replace_copy_take(
    struct output_filter *filter, const struct iovec *span, unsigned count, int *fd);

#endif
