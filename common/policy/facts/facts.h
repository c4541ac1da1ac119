#ifndef FACTS_FACTS_H
#define FACTS_FACTS_H

/*
 * The facts of messages that were dropped from the log, as a member of the artifact's metadata:
 *
 *     "facts":{"dropped":12,"kept":30,"files_read":["a.c"],"files_modified":[],"unresolved":[],
 *      "covers":[[2,13]]}
 *
 * The lists are sections of the artifact, which policy/digest/section.h reads, gathers, shows and
 * writes. The functions here add the facts of one call.
 *
 * covers are the places of the dropped messages (policy/facts/places.h).
 *
 * request holds the places of two messages: the user's newest message, and the message that began
 * the execution which the newest one steers. After the drops the second could not be found
 * otherwise.
 *
 * framing is the number of messages in the framing of the task (policy/framing.h), unless it is 1.
 *
 * kept is the number of messages after the artifact. Their reported usage is that of the context
 * before the compaction.
 *
 * Facts of an earlier artifact are merged into those of the next one, so that they are neither lost
 * nor stacked. The lists are complete; the text for the model names only as many things as fit, the
 * newest first.
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

/* Each adds the facts of the call, which must be learned. For files and instructions the call must
 * have succeeded. */
void facts_add_files(struct facts *facts, const struct session *session, uint32_t call);
void facts_add_instructions(struct facts *facts, const struct session *session, uint32_t call);
void facts_add_attempt(struct facts *facts, const struct session *session, uint32_t call);

/* If the user refused the call, adds their words as a constraint. Returns whether they refused
 * it. */
bool facts_add_refusal(struct facts *facts, const struct session *session, uint32_t call);

/* Merges the facts of a trace artifact. */
void facts_add_trace(struct facts *facts, struct json_value from);

/* Merges the attempts of an earlier artifact. */
void facts_read_attempts(struct facts *facts, struct json_value array);

/* The facts that the entry's metadata has. */
struct json_value facts_of(const struct entry *entry);

/* Two facts of the artifact, an entry or NONE. facts_framing is the most messages that the framing
 * has, 1 without such a fact. facts_request is the user's request: first is the first message that
 * is left of its execution, newest is the user's newest message. */
uint64_t facts_framing(const struct session *session, uint32_t artifact);
struct keep_request facts_request(const struct session *session, uint32_t artifact);

/* Writes the member "framing", unless the framing is one message, the usual case. */
void facts_write_framing(uint64_t count, struct json_writer *w);

/* Writes the member "request" if the two entries differ. */
void facts_write_request(
    const struct facts *facts, uint32_t first, uint32_t newest, struct json_writer *w);

#endif
