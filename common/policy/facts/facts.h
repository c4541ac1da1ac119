#ifndef FACTS_FACTS_H
#define FACTS_FACTS_H

/*
 * The facts of messages that were dropped from the log, as a member of the artifact's metadata:
 *
 *     "facts":{"dropped":12,"kept":30,"files_read":["a.c"],"files_modified":[],"unresolved":[],
 *      "covers":[[2,13]]}
 *
 * The lists are sections of the artifact (policy/digest/section.h), which are read, gathered,
 * shown and written there. Those here are of one call each.
 *
 * covers are the places of the dropped messages (policy/facts/places.h).
 *
 * request holds the places of two messages: the user's newest, and the one that began the execution
 * that the newest steers. Without the dropped messages, the second could not be found.
 *
 * framing is how many messages the framing of the task has (policy/framing.h), if it is not one.
 *
 * kept is the number of messages behind the artifact. Their reported usage is that of the context
 * before the compaction.
 *
 * Facts of an earlier artifact are merged into those of the next one, so that they are neither lost
 * nor stacked. The lists are whole, however long; the text for the model names what it has room
 * for, the newest things first.
 */

#include "data/session/session.h"
#include "policy/constraints/constraints.h"
#include "policy/digest/text_call.h"
#include "policy/facts/places.h"
#include "policy/facts/retries.h"
#include "policy/facts/things.h"
#include "policy/keep.h"

/* The sections of an artifact, in the order of its text. */
enum facts_section {
	FACTS_CONSTRAINTS,
	FACTS_INSTRUCTIONS,
	FACTS_SUMMARY,
	FACTS_GOAL,
	FACTS_LATEST,
	FACTS_READ,
	FACTS_MODIFIED,
	FACTS_DELETED,
	FACTS_UNRESOLVED,
	FACTS_GIT,
	FACTS_ATTEMPTS,
	FACTS_TODOS,
	FACTS_CHECKS,
	FACTS_TEXT_CALLS,
	FACTS_OUTLINE,
	FACTS_SYMBOLS,
	FACTS_SECTIONS
};

struct facts {
	uint64_t dropped;                      /* messages, those of earlier artifacts included */
	struct things list[FACTS_SECTIONS];    /* of the sections that are lists of facts */
	struct constraints_reader constraints; /* of that list */
	struct text_call_parts calls;          /* of the session */
	const struct attempts *attempts;       /* of the session */
	struct retries retries;
	struct places places;
	uint32_t todos_from; /* the call that the to-dos are of; 0: they are older */
};

/* Each adds what the call says, which must be learned. files and instructions: it succeeded. */
void facts_add_files(struct facts *facts, const struct session *session, uint32_t call);
void facts_add_instructions(struct facts *facts, const struct session *session, uint32_t call);
void facts_add_attempt(struct facts *facts, const struct session *session, uint32_t call);

/* What the user said when they refused the call is what is to be. Returns whether they did. */
bool facts_add_refusal(struct facts *facts, const struct session *session, uint32_t call);

/* Merges the facts of a trace artifact. */
void facts_add_trace(struct facts *facts, struct json_value from);

/* Merges the attempts of an earlier artifact. */
void facts_read_attempts(struct facts *facts, struct json_value array);

/* The facts that the entry's metadata has. */
struct json_value facts_of(const struct entry *entry);

/* What an artifact says of the session. artifact is an entry or NONE. The most messages that the
 * framing has: 1 when the artifact does not say it. And the user's request: first is the first
 * message that is left of the execution, newest is the user's newest message. */
uint64_t facts_framing(const struct session *session, uint32_t artifact);
struct keep_request facts_request(const struct session *session, uint32_t artifact);

/* Writes the member "framing", unless the framing is one message, as it mostly is. */
void facts_write_framing(uint64_t count, struct json_writer *w);

/* Writes the member "request" if the two entries differ. */
void facts_write_request(
    const struct facts *facts, uint32_t first, uint32_t newest, struct json_writer *w);

#endif
