#ifndef POLICY_COMPACT_COVERED_H
#define POLICY_COMPACT_COVERED_H

/*
 * Which reads show no line that a later read of the same target does not show too.
 */

#include "data/session.h"

/* Calls found for each covered read among the calls of the list (count of them, ascending), which
 * are reads with a whole result. n log n in their count. */
void covered_find(const struct session *session, const uint32_t *calls, uint32_t count,
    void (*found)(void *context, uint32_t call), void *context);

#endif
