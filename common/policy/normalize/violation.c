#include "policy/normalize/violation.h"

static const struct str codes[VIOLATION_COUNT] = {
    [VIOLATION_ORPHAN_RESULT] = STR_INIT("orphan-result"),
    [VIOLATION_SECOND_RESULT] = STR_INIT("second-result"),
    [VIOLATION_LATE_RESULT] = STR_INIT("late-result"),
    [VIOLATION_RESULT_ORDER] = STR_INIT("result-order"),
    [VIOLATION_UNANSWERED_CALL] = STR_INIT("unanswered-call"),
    [VIOLATION_REPEATED_ID] = STR_INIT("repeated-id"),
    [VIOLATION_EMPTY_MESSAGE] = STR_INIT("empty-message"),
    [VIOLATION_ROLE_ALIAS] = STR_INIT("role-alias"),
};

struct str
violation_code(enum violation violation)
{
	return codes[violation];
}
