#ifndef POLICY_VIEW_H
#define POLICY_VIEW_H

/*
 * Views of a held session. A view has some of the messages. Records that are no messages are in
 * every view; messages of other agents are in none.
 */

#include "base/number.h"
#include "tokens/estimate.h"

enum view { VIEW_REASONING, VIEW_CONVERSATION, VIEW_ALL, VIEW_TRACE };

/* The executions whose trace is in the reasoning view. */
enum view_trace { VIEW_TRACE_CURRENT, VIEW_TRACE_ALL, VIEW_TRACE_NONE };

/* Whether a message of the session is in the view. */
bool view_has(const struct session *session, const struct entry *entry, enum view view,
    enum view_trace trace);

/* Drops all entries that are not in the view. */
void view_apply(struct session *session, enum view view, enum view_trace trace);

/* Keeps the newest whole groups that fit into size: messages, turns or tokens. */
void view_last(struct session *session, struct size size, struct estimator *estimator);

/*
 * Sets order to the entries by sections: first context records and all that stands before the first
 * message, then the messages of each section in turn, and budget records last. Other records follow
 * the message that they stand behind. Messages of other sections are dropped. names has count
 * names; an empty list means "messages". order has room for session->count entries. Returns how
 * many are set.
 */
uint32_t view_sections(
    struct session *session, const struct str *names, unsigned count, uint32_t *order);

#endif
