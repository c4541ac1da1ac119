#ifndef POLICY_ROUTE_H
#define POLICY_ROUTE_H

/*
 * Metadata for the output of agent steps on its way into the log: finds, for each message, the
 * members that its metadata lacks. Members that are there stay as they are. Messages of other
 * agents, artifacts and messages of an unknown role get no members. A derived execution id is never
 * added: the stream may be one step of a log, in which that number is another execution's.
 *
 * With separate_trace, trace is put into section execution_buffer. Of the texts of the assistant
 * only the final response of an execution is in messages. Which text is the final response is known
 * by the verdict of a later message (data/walk.h), so the caller holds the one candidate until
 * then.
 *
 * Memory: that of the walk, and each name of a tool or of a section once.
 */

#include "data/walk.h"
#include "data/metadata.h"

struct route {
	bool separate_trace; /* set before the first message */
	struct walk walk;
	struct buf given_id;     /* for messages without an id, a JSON string, or empty */
	struct buf execution_id; /* of the running execution, a JSON string; empty: it is derived */
	struct buf origin;       /* of the last message, a JSON string */
	struct map word_by_text; /* name of a tool or section -> index of its word */
	struct str *word;        /* these names as JSON strings */
	uint32_t word_count, word_cap;
	struct arena arena;
};

enum { ROUTE_MEMBERS = 7 };

/* The members for one message; valid until the next route_add. */
struct route_step {
	struct verdict verdict;
	bool is_candidate; /* may be the final response: route_settle sets its section */
	bool in_buffer;    /* the message or its call is in an execution_buffer */
	struct metadata_member member[ROUTE_MEMBERS];
	unsigned count;
};

void route_init(struct route *route);

/* Sets the execution id that all messages without one get. */
void route_set_execution(struct route *route, struct str id);

/* Takes the next message of the stream, of kind RECORD_MESSAGE, and sets *step. */
void route_add(struct route *route, const struct message *message, struct route_step *step);

/* Adds that the failure is resolved. Call between route_add and route_edit. */
void route_resolve(const struct message *message, struct route_step *step);

/* Sets *step to the members of a candidate whose fate is known. message is the candidate as
 * route_edit has edited it. */
void route_settle(const struct message *message, enum fate fate, struct route_step *step);

/* Makes edit an edit of text, the text of message, that adds the members of step. Returns false
 * when there are no members to add, or no place for them. edit was used before, or is all zeros. */
bool route_edit(const struct message *message, struct str text, const struct route_step *step,
    struct json_edit *edit);

void route_free(struct route *route);

#endif
