#ifndef DIALECTS_REFUSALS_H
#define DIALECTS_REFUSALS_H

/*
 * What an API refuses of one message: the violations that were found, each with the value that the
 * first finding is about. The values lie in the message. A zeroed struct has none.
 */

#include "json/members.h"
#include "policy/normalize/violation.h"

struct refusals {
	uint64_t found;                             /* bit v: enum violation v */
	struct json_value subject[VIOLATION_COUNT]; /* set where the bit is */
};

_Static_assert(VIOLATION_COUNT <= 64, "found has a bit for each");

/* The bit of the violation. */
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
