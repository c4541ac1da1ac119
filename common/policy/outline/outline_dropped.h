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

#endif
