#ifndef CTX_COMPILE_GUARD_H
#define CTX_COMPILE_GUARD_H

/*
 * Two processes around stages of the user's own: one notes what is wrong in what they read, the
 * other holds what they write until they have ended and are proved (policy/filter/proof.h) to have
 * parted no call from its result and written no record that cannot be read.
 *
 *     -> [ guard_note ] -> [ the user's ] -> ... -> [ guard_check ] ->
 *               `------------- side ------------------^
 *
 * guard_note reads its input to the end, whether the stages do or not, and then sends what it noted
 * to the side. guard_check reads both of its inputs as they come, so that the two never wait for
 * each other.
 */

#include "base/fault.h"

struct guard {
	const char *first, *last; /* the names of the stages between */
	bool is_last;             /* no stage follows: the output is that of the run */
	int side[2];              /* a pipe, closed in programs that are started */
};

/* Opens the pipe. Returns 0, or an error number. */
int guard_open(struct guard *guard);
void guard_close(struct guard *guard);

/* What the two processes do (struct relay_stage, run); owner is the guard. guard_check ends with
 * status 70, and has written nothing, where the proof fails. */
void guard_note(void *owner, const struct fault *error);
void guard_check(void *owner, const struct fault *error);

#endif
