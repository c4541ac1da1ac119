#ifndef CTX_COMPILE_GUARD_H
#define CTX_COMPILE_GUARD_H

/*
 * Two processes around stages of the user's own. One notes the faults of the stages' input. The
 * other holds their output until they have ended, and until it is proved (policy/filter/proof.h)
 * that they separated no call from its result and wrote no record that cannot be read.
 *
 *     -> [ guard_note ] -> [ the user's ] -> ... -> [ guard_check ] ->
 *               `------------- side ------------------^
 *
 * guard_note reads its input to the end, even if the stages do not, and then sends its notes to the
 * side. guard_check reads both of its inputs as data arrives, so that the two processes never wait
 * for each other.
 */

#include "base/fault.h"

struct guard {
	const char *first, *last; /* the names of the stages between */
	bool is_last;             /* no stage follows: its output is the output of the run */
	int side[2];              /* a pipe, closed in programs that are started */
};

/* Opens the pipe. Returns 0, or an error number. */
int guard_open(struct guard *guard);
void guard_close(struct guard *guard);

/* The main functions of the two processes (run of struct relay_stage); owner is the guard. If the
 * proof fails, guard_check has written nothing, and ends with status 70. */
void guard_note(void *owner, const struct fault *error);
void guard_check(void *owner, const struct fault *error);

#endif
