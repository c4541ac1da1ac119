#ifndef POLICY_OUTLINE_OUTLINE_DROPPED_H
#define POLICY_OUTLINE_OUTLINE_DROPPED_H

/*
 * The dropped messages of a session, and the text cut from results that stay, as steps of an
 * outline.
 */

#include "data/session/session.h"
#include "policy/facts/facts.h"
#include "policy/outline/outline_earlier.h"

/* Adds all entries of the session that were dropped, in their order, and between them the earlier
 * lines. facts are of the session; first is the entry after the artifact: lines that follow no
 * message come before it. */
void outline_dropped_add(struct outline *outline, const struct session *session,
    const struct facts *facts, struct outline_earlier *earlier, uint32_t first);

/* Whether the entry is a result that stays, and this pass cut text from it that later work has not
 * made worthless. The outline then has the cut lines. */
bool outline_dropped_is_cut(const struct session *session, uint32_t entry);

#endif
