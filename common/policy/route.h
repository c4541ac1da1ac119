#ifndef POLICY_ROUTE_H
#define POLICY_ROUTE_H

/*
 * Step output on its way into the log: which members the metadata of each message of a stream
 * lacks. What a message says itself stays as it is; messages of other agents, artifacts and
 * messages of an unknown role lack nothing. A derived execution id is never one of these members:
 * the stream may be one step of a log, in which that number is another execution's.
 *
 * With separate_trace, trace stands in section execution_buffer and of the texts of the assistant
 * only the final response of an execution in messages. Which text that is, the verdict of a later
 * message tells (data/walk.h), so there is at most one candidate, which the caller holds until then.
 *
 * Memory: that of the walk (data/walk.h), and each name of a tool or of a section once.
 */

#include "data/walk.h"
#include "data/metadata.h"

struct route {
	bool separate_trace;       /* set before the first message */
	struct walk walk;
	struct buf given_id;       /* for messages without an id, a JSON string, or empty */
	struct buf execution_id;   /* of the running execution, a JSON string; empty: it is derived */
	struct buf origin;         /* of the last message, a JSON string */
	struct map word_by_text;   /* names of tools and of sections, each once: */
	struct str *word;          /* JSON */
	uint32_t word_count, word_cap;
	struct arena arena;
};

enum { ROUTE_MEMBERS = 7 };

/* What is said of one message; valid until the next route_add. */
struct route_step {
	struct verdict verdict;
	bool is_candidate;         /* its section is told by route_settle */
	bool in_buffer;            /* it, or the call that it answers, is in an execution_buffer */
	struct metadata_member member[ROUTE_MEMBERS];
	unsigned count;
};

void route_init(struct route *route);

/* Makes id the execution of all messages that have none. */
void route_set_execution(struct route *route, struct str id);

/* Takes the next message of the stream (kind RECORD_MESSAGE). */
void route_add(struct route *route, const struct message *message, struct route_step *step);

/* Marks a failure as resolved; to be called between route_add and route_edit. */
void route_resolve(const struct message *message, struct route_step *step);

/* What a candidate lacks, now that it is decided; message is what route_edit made of it. */
void route_settle(const struct message *message, enum fate fate, struct route_step *step);

/* Lets edit put the members of step into text, that of message. False when it lacks none or has no
 * place for them. edit is one that was used before, or zeros. */
bool route_edit(const struct message *message, struct str text, const struct route_step *step,
    struct json_edit *edit);

void route_free(struct route *route);

#endif
