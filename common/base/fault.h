#ifndef BASE_FAULT_H
#define BASE_FAULT_H

/*
 * A failure as a value: the exit status that it asks for, and a text that says what is wrong. What
 * stands below face sets a fault and returns; only face and cmd print faults and end the program.
 * The first fault that is set stays, since later ones follow from it. FAULT_INIT is none.
 */

#include <stdbool.h>

#include "base/buf.h"

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
	STATUS_TRY_AGAIN = 75,
	STATUS_CONFIG = 78,
	STATUS_PIPE = 141,      /* the reader left: 128 + SIGPIPE, as a shell reports it; no text */
};

/* Of two statuses of one run, the one to exit with. */
enum status status_worse(enum status a, enum status b);

struct fault {
	enum status status; /* STATUS_OK: nothing failed */
	struct buf text;    /* one line, without a line end; the fault's own */
};

#define FAULT_INIT {STATUS_OK, BUF_INIT}

/* Sets the fault, unless one is set; format is printf's. Returns false, for who returns whether all
 * went well. */
bool fault_set(struct fault *fault, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static inline bool
fault_is_set(const struct fault *fault)
{
	return fault->status != STATUS_OK;
}

void fault_free(struct fault *fault);

#endif
