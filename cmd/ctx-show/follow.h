#ifndef CTX_SHOW_FOLLOW_H
#define CTX_SHOW_FOLLOW_H

/*
 * Follows a growing file of any format:
 *
 *     follower <- pipe <- reader     reads on where it was when lines were appended
 *                   ^------- shower  a copy of the reader at the end of the file, for which the
 *                                    file ends there: it shows all that the reader holds
 *
 * After each change the follower writes only those lines that are new or differ from the ones
 * before. So a later record may change an earlier message. When the file was written anew, and not
 * appended to, the reader ends, and another one reads the file from its start. So it does where the
 * reader cannot wait: for packed files, and for a file with others beside it (--agents).
 */

#include <sys/types.h>

#include "stream/input.h"

struct follow {
	struct input_waiter waiter; /* first; of the reader's input */
	pid_t pid;                  /* the process of the follower */
	bool is_shown;              /* the file was shown once at least */
};

/* Follows the file until a signal ends the program. Returns only in readers, whose standard output
 * is the pipe. If the first one fails, ends the program with its status. */
void follow(struct follow *follower, const char *path);

/* Makes the reader read on after the end of its file. */
void follow_read_on(struct follow *follower, struct input *in);

#endif
