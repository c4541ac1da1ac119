#ifndef BASE_STATUS_H
#define BASE_STATUS_H

/* Exit statuses. From 64 to 78 the numbers and meanings are those of sysexits.h. */
enum status {
	STATUS_OK = 0,
	STATUS_NO = 1, /* the answer is no: a check fails, a budget cannot be met */
	STATUS_USAGE = 64,
	STATUS_DATA = 65, /* bad lines, or no messages */
	STATUS_NO_INPUT = 66,
	STATUS_UNAVAILABLE = 69, /* an external command failed */
	STATUS_INVARIANT = 70,
	STATUS_OS = 71,
	STATUS_CANT_CREATE = 73,
	STATUS_IO = 74,
	STATUS_LATER = 75, /* locked, in use, changed meanwhile */
	STATUS_CONFIG = 78,
	STATUS_PIPE = 141, /* the reader left: 128 + SIGPIPE, as shells report; no text */
};

/* The meaning of a status, in a few words for --help. For STATUS_NO this is no, since each command
 * has its own meaning for that status. */
const char *status_text(enum status status, const char *no);

/* The worse of two statuses of the same run: the program exits with that one. */
enum status status_worse(enum status a, enum status b);

/* The status of a failed system call; error is its errno. Returns STATUS_OS when the system has no
 * more memory, processes or descriptors; returns otherwise for any other error. */
enum status status_of_error(int error, enum status otherwise);

#endif
