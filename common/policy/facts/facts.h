#ifndef FACTS_FACTS_H
#define FACTS_FACTS_H

/*
 * The facts of messages that were dropped from the log, as a member of the artifact's metadata:
 *
 *     "facts":{"dropped":12,"kept":30,"files_read":["a.c"],"files_modified":[],"unresolved":[],
 *      "covers":[[2,13]]}
 *
 * constraints are the sentences of dropped messages that forbid or oblige
 * (policy/digest/constraints.h), if there are any.
 *
 * instructions are such sentences of a project's instruction files that were read, each after the
 * name of its file, if there are any.
 *
 * attempts are calls that were made more than once (policy/facts/tried.h), if there are any.
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
#include "policy/facts/places.h"
#include "policy/facts/things.h"
#include "policy/facts/tried.h"
#include "policy/keep.h"

/* The lists; their titles and members stand in one table in facts.c. */
enum {
	FACTS_READ,
	FACTS_MODIFIED,
	FACTS_UNRESOLVED,
	FACTS_CONSTRAINTS,
	FACTS_INSTRUCTIONS,
	FACTS_LISTS
};

struct facts {
	uint64_t dropped; /* messages, those of earlier artifacts included */
	struct things list[FACTS_LISTS];
	struct constraints_read *constraints; /* what was read of that list */
	struct tried tried;
	struct places places;
};

void facts_open(struct facts *facts);
void facts_close(struct facts *facts);

/* Merges the facts of the artifact that is replaced. */
void facts_add_artifact(struct facts *facts, struct json_value from);

/* Merges the facts of an entry that is dropped. places_begin must have been called. */
void facts_add(struct facts *facts, const struct session *session, const struct attempts *attempts,
    uint32_t entry);

/* The facts that the entry's metadata has. */
struct json_value facts_of(const struct entry *entry);

/* Writes the members of the lists into an open object. With measured, the lists are left empty. */
void facts_write_lists(const struct facts *facts, bool measured, struct json_writer *w);

/* Bytes that the lists and the ranges of places take between their brackets. */
size_t facts_len(const struct facts *facts);

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
