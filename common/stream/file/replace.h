#ifndef FILE_REPLACE_H
#define FILE_REPLACE_H

/*
 * A file whose content is replaced as a whole, while other programs may append to it.
 *
 *     replace_open      locks the file, with flock(2)
 *     filter            takes the new content; what is the old content is not written. From the
 *                       first byte that differs, all goes to a temporary file in the directory
 *     replace_commit    the temporary file gets the name
 *     replace_close     unlocks; without a commit the temporary file goes, the file is as it was
 *
 * What was appended to the file meanwhile is carried over, and no line is lost:
 *
 *     old file   |--- read ---|-- carried before the rename --|-- carried after the rename --|
 *     new file   |-- content --|-- the same lines -------------|-- the same lines ------------|
 *
 * Before the rename a lease (stream/file/lease.h) makes sure that nobody writes to the file. A
 * program that waits in open(2) meanwhile will write to the old file. So a lease is taken again and
 * again, and lines are carried over, until nobody has the old file open for writing. A program that
 * takes the lock must look, once it has the lock, whether the name is still that of the file that
 * it has locked: the new file is locked until the last line is carried over.
 */

#include "base/hash/hash.h"
#include "stream/file/replace_copy.h"

/* What is before and behind the name of a file in that of a link to the old one. */
#define REPLACE_OLD_HEAD "."
#define REPLACE_OLD_TAIL ".ctx-old"

struct replace_options {
	const char
	    *suffix; /* the old file stays under its name with that behind it; "" or NULL: no */
	bool follows_symlinks;
	bool breaks_hard_links;
	bool has_min_age;
	uint64_t min_age; /* seconds since the last change; 0 by default, 60 without leases */
	/* Called once when a program keeps the old file open long after the rename. */
	void (*says_waiting)(void);
};

struct replace {
	struct replace_copy copy;
	const struct replace_options *options;
	struct hash_stream sum; /* of the old bytes that were read; the reader adds them */
	uint64_t carried;       /* bytes of the old file that the new one has or stands for */
	bool has_leases;
	bool is_replaced;
	struct buf late; /* lines that came after the rename */
};

/* Opens and locks the file at path. Returns false with the fault set: as locked_open; 73 also when
 * the file has several hard links or is read-only; 75 also when it is open for writing, or
 * was written to lately. Close the file in any case. */
bool replace_open(struct replace *file, const char *path, const struct replace_options *options,
    struct fault *fault);

/*
 * Makes the content the file's, if it is another one; it stands for the first read bytes of the
 * old file. The bytes are in sum, and the last is no LF when is_open is set. Returns false with the
 * fault set: 73 or 74 when that cannot be done, 75 when the file was changed meanwhile, is open for
 * writing, or has another name. When is_replaced is set all the same, only what came late is in
 * doubt.
 */
bool replace_commit(struct replace *file, uint64_t read, bool is_open);

/* Unlocks and closes the file. */
void replace_close(struct replace *file);

#endif
