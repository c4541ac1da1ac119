#ifndef OUTPUT_RESULT_H
#define OUTPUT_RESULT_H

/* The file of --output. It is written to a temporary file in the same directory, and gets its name
 * only when it is whole. */

#include <sys/types.h>

#include "base/fault.h"

struct result {
	const char *path; /* as the option says */
	int directory;
	int fd;      /* to write to */
	mode_t mode; /* that the file has in the end */
	char name[256];
	bool is_unnamed;     /* the file has no name until it is whole */
	char temporary[256]; /* its name before the last one */
};

/* Opens the file that path becomes, with the owner, mode and attributes of the one that is there.
 * Ends the program with status 64 when path is one of the operands, or standard output or error,
 * and with 73 when the file at path is not regular or is read-only, or cannot be created. */
void result_open(struct result *result, const char *path, char *const *operand, int count);

/* Gives the file its name. Returns false with the fault set: 73 or 74. */
bool result_commit(struct result *result, struct fault *fault);

#endif
