#ifndef BASE_FAULT_H
#define BASE_FAULT_H

/*
 * A failure as a value: an exit status, and a text that says what is wrong. Modules below face set
 * a fault and return; only face and cmd print faults and end the program. A fault that is set stays
 * as it is: later failures are consequences of the first one. FAULT_INIT makes a fault that is not
 * set.
 */

#include <stdbool.h>

#include "base/buf.h"
#include "base/status.h"

struct fault {
	enum status status; /* STATUS_OK: nothing failed */
	struct buf text;    /* one line, without a line end; owned by the fault */
};

#define FAULT_INIT \
	{ \
		STATUS_OK, BUF_INIT \
	}

/* Sets the fault, unless it is set already; format is that of printf. Returns false, so that a
 * function that returns false on failure can end with "return fault_set(...)". */
bool fault_set(struct fault *fault, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for a failed system call: ": " and the text of errno are appended. The status is 71
 * instead when errno says that the system has no more memory, processes or descriptors. */
bool fault_set_error(struct fault *fault, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static inline bool
fault_is_set(const struct fault *fault)
{
	return fault->status != STATUS_OK;
}

void fault_free(struct fault *fault);

#endif
