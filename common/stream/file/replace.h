#ifndef FILE_REPLACE_H
#define FILE_REPLACE_H

/*
 * A file whose content is replaced as a whole, while other programs may append to it.
 *
 *     replace_open      locks the file, with flock(2)
 *     filter            takes the new content. Nothing is written while it is equal to the old
 *                       content. The first byte that differs begins a temporary file in the
 *                       directory, which gets all of the new content
 *     replace_commit    the temporary file gets the name
 *     replace_close     unlocks the file; without a commit, removes the temporary file, and the
 *                       file is unchanged
 *
 * Lines that other programs append to the file during this are copied to the new file, so that no
 * line is lost:
 *
 *     old file   |--- read ---|-- carried before the rename --|-- carried after the rename --|
 *     new file   |-- content --|-- the same lines -------------|-- the same lines ------------|
 *
 * Before the rename, a lease (stream/file/lease.h) ensures that no program writes to the file. A
 * program that waits in open(2) during the lease will write to the old file. So after the rename a
 * lease is taken again and again, and lines are copied, until no program has the old file open for
 * writing. The new file is locked until the last line is copied. A program that takes the lock must
 * therefore check, once it has the lock, that the name still leads to the file that it has locked.
 */

#include "base/hash/hash.h"
#include "stream/file/replace_copy.h"

/* The name of a link to the old file is the name of the file between these two. */
#define REPLACE_OLD_HEAD "."
#define REPLACE_OLD_TAIL ".ctx-old"

struct replace_options {
	const char
	    *suffix; /* the old file is kept under its name with this suffix; "" or NULL: not */
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
	struct hash_stream sum; /* the hash of the old bytes that were read; the reader adds them */
	uint64_t carried;       /* bytes of the old file that are copied or replaced so far */
	bool has_leases;
	bool is_replaced;
	struct buf late; /* lines that came after the rename */
};

/* Opens and locks the file at path. options and fault must live until replace_close. Returns false
 * with the fault set: statuses as for locked_open; 73 also when the file has several hard links or
 * is read-only; 75 also when another program has the file open for writing, or wrote to it less
 * than min_age ago. Call replace_close in all cases. */
bool replace_open(struct replace *file, const char *path, const struct replace_options *options,
    struct fault *fault);

/*
 * Replaces the first read bytes of the old file by the new content, if they differ. sum has the
 * hash of these bytes. is_open says that the last of them is no LF. Returns false with the fault
 * set: status 73 or 74 when replacing fails, 75 when the file was changed since, is open for
 * writing, or has another name now. When is_replaced is set in spite of a fault, the file is
 * replaced, and only lines that were appended late may be missing.
 */
bool replace_commit(struct replace *file, uint64_t read, bool is_open);

/* Unlocks and closes the file. */
void replace_close(struct replace *file);

#endif
