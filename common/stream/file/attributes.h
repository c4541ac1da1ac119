#ifndef FILE_ATTRIBUTES_H
#define FILE_ATTRIBUTES_H

/* What a file has beside its bytes: owner, group, mode, access control list, extended
 * attributes. */

#include <sys/stat.h>

#include "base/fault.h"

/* Gives the file to the attributes of the file from, whose state is st. Returns false with the
 * fault set, with status 73, when one of them cannot be kept. */
bool attributes_copy(int from, const struct stat *st, int to, struct fault *fault);

/* Gives the file, after its last byte was written, the bits of the mode again that the system takes
 * from a file when another than root writes to it. Returns false with errno set when it cannot. */
bool attributes_restore_mode(int to, mode_t mode);

/* Whether nobody is meant to write to a file of that state; the system lets root all the same. */
static inline bool
attributes_are_read_only(const struct stat *st)
{
	return (st->st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0;
}

#endif
