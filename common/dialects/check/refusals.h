#ifndef DIALECTS_REFUSALS_H
#define DIALECTS_REFUSALS_H

/*
 * The violations found in one message, each with the value of its first finding. The values lie in
 * the message. A zeroed struct has no violations.
 */

#include "json/members.h"
#include "policy/normalize/violation.h"

struct refusals {
	uint64_t found;                             /* bit v: enum violation v */
	struct json_value subject[VIOLATION_COUNT]; /* set where the bit is */
};

_Static_assert(VIOLATION_COUNT <= 64, "found has a bit for each");

static inline uint64_t
refusals_bit(enum violation violation)
{
	return UINT64_C(1) << violation;
}

void refusals_add(struct refusals *refusals, enum violation violation, struct json_value subject);

/* Refuses the members of object that are not among the count names. */
void refusals_add_unknown(
    struct refusals *refusals, struct json_value object, const struct str *names, unsigned count);

#endif
