#ifndef POLICY_COMPACT_COVERED_H
#define POLICY_COMPACT_COVERED_H

/*
 * Covered reads: a later read of the same target shows all their lines.
 */

#include "data/session/session.h"

/* Calls found for each covered read among calls. The list has count calls, ascending, and each is a
 * read with a whole result. The time is n log n in count. */
void covered_find(const struct session *session, const uint32_t *calls, uint32_t count,
    void (*found)(void *context, uint32_t call), void *context);

#endif
