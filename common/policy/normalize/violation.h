#ifndef POLICY_NORMALIZE_VIOLATION_H
#define POLICY_NORMALIZE_VIOLATION_H

/*
 * What can be wrong with a stream of valid messages, and the stable codes that name it.
 */

#include "base/str.h"

enum violation {
	VIOLATION_ORPHAN_RESULT,   /* a result that answers no call */
	VIOLATION_SECOND_RESULT,   /* one more for a call of the last group that has its result */
	VIOLATION_LATE_RESULT,     /* not directly behind its call */
	VIOLATION_RESULT_ORDER,    /* before the result of an earlier call */
	VIOLATION_UNANSWERED_CALL, /* in an execution that is over */
	VIOLATION_REPEATED_ID,     /* of metadata.id */
	VIOLATION_EMPTY_MESSAGE,   /* neither content nor calls */
	VIOLATION_ROLE_ALIAS,      /* another format's word for a role */
	VIOLATION_COUNT,
};

/* "orphan-result" and so on. */
struct str violation_code(enum violation violation);

#endif
