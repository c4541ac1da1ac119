#ifndef FACE_FAULT_DIE_H
#define FACE_FAULT_DIE_H

#include "base/fault.h"

/* Prints the fault, which is set, and ends the program with its status. For a reader that left it
 * prints nothing, and SIGPIPE ends the program. */
_Noreturn void fault_die(const struct fault *fault);

/* The same, if the fault is set. */
static inline void
fault_check(const struct fault *fault)
{
	if (fault_is_set(fault))
		fault_die(fault);
}

#endif
