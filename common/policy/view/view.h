#ifndef VIEW_VIEW_H
#define VIEW_VIEW_H

/*
 * Views of a held session. A view has some of the messages. Records that are no messages are in
 * every view; messages of other agents are in none but VIEW_AGENTS.
 */

#include "policy/selection.h"

/* VIEW_AGENTS has all messages, also those of other agents. */
enum view { VIEW_REASONING, VIEW_CONVERSATION, VIEW_ALL, VIEW_TRACE, VIEW_AGENTS };

/* The trace that is in the reasoning view, besides trace that must not be lost. */
enum view_trace { VIEW_TRACE_CURRENT, VIEW_TRACE_ALL, VIEW_TRACE_NONE, VIEW_TRACE_CHOSEN };

struct view_choice {
	enum view view;
	enum view_trace trace;
	struct selection chosen;  /* with VIEW_TRACE_CHOSEN: that trace */
	struct selection *within; /* the view has only messages of this selection; NULL: all */
	bool drops_attempts;      /* groups whose calls failed and were retried are left out */
};

/* Whether an entry, a message, is in the view, with its group. TERM_UNKNOWN only before
 * session_end. Ask in the order of the entries, and set is_dropped of each entry by the answer
 * (policy/selection.h). */
enum term_answer view_ask(struct view_choice *choice, struct session *session, uint32_t entry);

/* Drops all entries that are not in the view of a session that has ended. */
void view_apply(struct view_choice *choice, struct session *session);

/*
 * Sets order to the entries by sections: first context records and all records before the first
 * message, then the system and developer messages that lead the session, then the other messages of
 * each section in turn, and budget records last. Other records stay after the message that they
 * follow. Messages of other sections are dropped. names has count names; an empty list means
 * "messages". The entry prompt, or NONE, is the first message, and leads whatever its section is.
 * order has room for session->count entries. Returns how many are set.
 */
uint32_t view_sections(struct session *session, const struct str *names, unsigned count,
    uint32_t prompt, uint32_t *order);

#endif
