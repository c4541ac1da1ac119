#ifndef POLICY_DIGEST_TEXT_CALL_H
#define POLICY_DIGEST_TEXT_CALL_H

/*
 * Calls that an agent without tools writes into its text. The next message of the user is the
 * result:
 *
 *     <function=terminal>                     <command>        ```
 *     <parameter=command>ls</parameter>       ls               ls
 *     </function>                             </command>       ```
 *
 *     EXECUTION RESULT of [terminal]: ...                      OBSERVATION: ...
 *
 * A block between fences is a call only where nearly all messages of the agent end with one, or
 * where the next message says OBSERVATION. All of this applies only to sessions without real calls.
 *
 * After a compaction the messages no longer show this. So the artifact keeps, as a list of facts,
 * that the agent's calls are fenced, and the places (policy/facts/places.h) of results whose calls
 * were dropped:
 *
 *     "text_calls":["fenced",13]
 */

#include "data/session/session.h"
#include "policy/facts/places.h"
#include "policy/facts/things.h"

enum text_call_part { TEXT_CALL_NONE, TEXT_CALL_CALL, TEXT_CALL_RESULT };

/* What the messages of a session are. */
struct text_call_parts {
	uint8_t *part; /* enum text_call_part, by entry; NULL: there are no such calls */
};

struct text_call {
	struct str before; /* the agent's words before the call */
	struct str name;   /* of the function; "": a command of a shell */
	struct str body;   /* the command, or the parameters with their tags */
};

/* The call in the text of an assistant's message, which must outlive it. */
bool text_call_find(struct str text, bool has_fences, struct text_call *call);

/* Takes the next value of a parameter off the body of a function; false at its end. */
bool text_call_next(struct str *body, struct str *value);

/* Finds calls and results by reading the messages of the agent. known is the list of the earlier
 * artifact; "fenced" is added to it if calls are. */
void text_call_learn(struct text_call_parts *calls, const struct session *session,
    const struct places *places, struct things *known);
void text_call_free(struct text_call_parts *calls);

/* Removes the dropped entry from the list. If the entry is a call whose result stays, adds that
 * result. */
void text_call_drop(const struct text_call_parts *calls, const struct session *session,
    const struct places *places, struct things *known, uint32_t entry);

/* Whether the entry is such a call or result. A result is the user's message after the agent's
 * call, and is not the user's own words. */
enum text_call_part text_call_part_of(const struct text_call_parts *calls, uint32_t entry);

/* The result without the words that say that it is one. */
struct str text_call_result(struct str text);

#endif
