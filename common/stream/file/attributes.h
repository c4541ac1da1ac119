#ifndef FILE_ATTRIBUTES_H
#define FILE_ATTRIBUTES_H

/* The attributes of a file: owner, group, mode, access control list, extended attributes. */

#include <sys/stat.h>

#include "base/fault.h"

/* Copies the attributes of the file from, whose state is st, to the file to. Both are descriptors.
 * Returns false with the fault set, with status 73, when one of the attributes cannot be kept. */
bool attributes_copy(int from, const struct stat *st, int to, struct fault *fault);

/* Call after the last byte was written. Sets the bits of the mode again that the system clears when
 * a program without the rights of root writes to a file. Returns false with errno set when that
 * fails. */
bool attributes_restore_mode(int to, mode_t mode);

/* Whether the mode lets nobody write to the file. The system allows root to write even then. */
static inline bool
attributes_are_read_only(const struct stat *st)
{
	return (st->st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0;
}

#endif
