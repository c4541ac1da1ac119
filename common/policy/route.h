#ifndef POLICY_ROUTE_H
#define POLICY_ROUTE_H

/*
 * Metadata for the output of agent steps, on its way into the log: for each message, the members
 * that its metadata lacks. Members that are there stay as they are. Messages of other agents,
 * artifacts and messages of an unknown role get no members. The stream may be only one step of a
 * log, in which another execution has the derived execution id: so a derived id is never added.
 *
 * With separate_trace, trace is in the section execution_buffer, even trace whose metadata says the
 * section messages. Of the assistant's texts in an execution, only the final response is in the
 * section messages. Only the verdict of a later message (data/walk.h) tells which text is the final
 * response: until then, the caller holds the one candidate. Sections are written only with
 * writes_sections.
 *
 * Memory: the walk, and each name of a tool or of a section once.
 */

#include "base/hash/map.h"
#include "data/walk.h"
#include "data/message/metadata.h"

struct route {
	bool separate_trace;  /* set before the first message */
	bool writes_sections; /* the same */
	bool recalls;         /* the next messages are in the log already */
	struct walk walk;
	struct buf given_id;     /* of messages without an id: a JSON string, or empty */
	struct buf execution_id; /* of the running execution, a JSON string; empty: it is derived */
	struct buf nested_id;    /* of the nested execution of the last message, the same */
	struct buf origin;       /* of the last message, a JSON string */
	struct map word_by_text; /* name of a tool or section -> index of its word */
	struct str *word;        /* the names, as JSON strings */
	uint32_t word_count, word_cap;
	struct arena arena;
};

enum { ROUTE_MEMBERS = 7 };

/* The members for one message; valid until the next route_add. */
struct route_step {
	struct verdict verdict;
	bool is_candidate;  /* may be the final response: route_settle sets its section */
	bool in_buffer;     /* the message or its call is in an execution_buffer */
	bool is_of_log;     /* a result whose call was recalled */
	bool keeps_section; /* the section in its metadata stays, also that of trace */
	struct metadata_member member[ROUTE_MEMBERS];
	unsigned count;
};

void route_init(struct route *route);

/* Sets the execution id for all messages without one, except recalled ones. */
void route_set_execution(struct route *route, struct str id);

/* Forgets all messages: the stream begins anew. */
void route_restart(struct route *route);

/* Takes the next message of the stream, of kind RECORD_MESSAGE, and sets *step. With keeps_section
 * the message keeps the section in its metadata, also trace in section messages. */
void route_add(struct route *route, const struct message *message, bool keeps_section,
    struct route_step *step);

/* Adds the member that marks the failure as resolved. Call between route_add and route_edit. */
void route_resolve(const struct message *message, struct route_step *step);

/* Sets *step to the members of a candidate whose fate is known. message is the candidate as
 * route_edit has edited it. */
void route_settle(const struct route *route, const struct message *message, enum fate fate,
    struct route_step *step);

/* Makes edit an edit of text, the text of message, that adds the members of step. Returns false
 * when there are no members to add, or no place for them. edit was used before, or is all zeros. */
bool route_edit(const struct message *message, struct str text, const struct route_step *step,
    struct json_edit *edit);

void route_free(struct route *route);

#endif
