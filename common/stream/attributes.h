#ifndef STREAM_ATTRIBUTES_H
#define STREAM_ATTRIBUTES_H

/* What a file has beside its bytes: owner, group, mode, access control list, extended
 * attributes. */

#include <sys/stat.h>

#include "base/fault.h"

/* Gives the file to the attributes of the file from, whose state is st. Returns false with the
 * fault set, with status 73, when one of them cannot be kept. */
bool attributes_copy(int from, const struct stat *st, int to, struct fault *fault);

#endif
