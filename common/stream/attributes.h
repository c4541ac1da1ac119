#ifndef STREAM_ATTRIBUTES_H
#define STREAM_ATTRIBUTES_H

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

#endif
