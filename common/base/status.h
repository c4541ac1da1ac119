#ifndef BASE_STATUS_H
#define BASE_STATUS_H

/* Exit statuses, after sysexits.h where it has one. */
enum status {
	STATUS_OK = 0,
	STATUS_NO = 1,          /* the answer is no: a check fails, a budget cannot be met */
	STATUS_USAGE = 64,
	STATUS_DATA = 65,       /* bad lines, or no messages */
	STATUS_NO_INPUT = 66,
	STATUS_UNAVAILABLE = 69, /* an external command failed */
	STATUS_INVARIANT = 70,
	STATUS_OS = 71,
	STATUS_CANT_CREATE = 73,
	STATUS_IO = 74,
	STATUS_CONFIG = 78,
	STATUS_PIPE = 141,      /* the reader left: 128 + SIGPIPE, as a shell reports it; no text */
};

/* Of two statuses of one run, the one to exit with. */
enum status status_worse(enum status a, enum status b);

/* The status of a failed system call: STATUS_OS when error, an errno, says that the system has no
 * more memory, processes or descriptors, and otherwise for every other error. */
enum status status_of_error(int error, enum status otherwise);

#endif
