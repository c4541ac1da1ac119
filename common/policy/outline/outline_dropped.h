#ifndef POLICY_OUTLINE_OUTLINE_DROPPED_H
#define POLICY_OUTLINE_OUTLINE_DROPPED_H

/*
 * What was dropped from a session, and cut from results that stay, as steps of an outline.
 */

#include "data/session/session.h"
#include "policy/facts/facts.h"
#include "policy/outline/outline_earlier.h"

/* Adds all entries of the session that were dropped, in their order, and between them the earlier
 * lines. facts are of the session; first is the entry behind the artifact, in front of which all
 * lines that stand behind no message have their place. */
void outline_dropped_add(struct outline *outline, const struct session *session,
    const struct facts *facts, struct outline_earlier *earlier, uint32_t first);

/* Whether the entry is a result that stays, of which a pass cut something just now that later work
 * has not made worthless: that is told. */
bool outline_dropped_is_cut(const struct session *session, uint32_t entry);

#endif
