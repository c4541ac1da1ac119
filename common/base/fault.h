#ifndef BASE_FAULT_H
#define BASE_FAULT_H

/*
 * A failure as a value: the exit status that it asks for, and a text that says what is wrong. What
 * stands below face sets a fault and returns; only face and cmd print faults and end the program.
 * The first fault that is set stays, since later ones follow from it. FAULT_INIT is none.
 */

#include <stdbool.h>

#include "base/buf.h"
#include "base/status.h"

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
