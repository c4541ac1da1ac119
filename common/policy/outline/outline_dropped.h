#ifndef POLICY_OUTLINE_OUTLINE_DROPPED_H
#define POLICY_OUTLINE_OUTLINE_DROPPED_H

/*
 * What was dropped from a session, and cut from results that stay, as steps of an outline.
 */

#include "data/session/session.h"
#include "policy/digest/text_call.h"
#include "policy/outline/outline.h"

/* Adds all entries of the session that were dropped, in their order. calls stand in its texts. */
void outline_dropped_add(
    struct outline *outline, const struct session *session, const struct text_call_parts *calls);

/* Whether the entry is a result that stays, of which a pass cut something just now that later work
 * has not made worthless: that is told. */
bool outline_dropped_is_cut(const struct session *session, uint32_t entry);

#endif
