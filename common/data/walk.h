#ifndef DATA_WALK_H
#define DATA_WALK_H

/*
 * The walk over the messages of a stream, in their order. The walk gives a verdict for each
 * message. The verdict has the attributes of the message, from metadata, or else derived from the
 * messages before. It also has the decisions of the message about earlier messages. Streaming
 * stages and held sessions use the same walk, so that they give the same answers.
 *
 * The thread has the messages of one agent: the agent of the stream's first message. That is the
 * main agent, or a sub-agent when the stream is the sub-agent's own. Messages of other agents are
 * outside: their calls and results are paired among themselves, and they have no execution and no
 * turn here.
 *
 * An execution is a run of messages with one id. When an id comes back after another execution
 * began, a new execution begins. The numbers of derived ids go on from the greatest "#n" in
 * metadata.
 *
 * A nested execution is a run of trace messages with another id within the running execution. It
 * begins with a user message that is trace, or with any other trace message while the newest group
 * lacks results. Its messages belong to the running execution, but they are no turns and no answers
 * of that execution, and do not separate a group from its results. Without a user message, the same
 * agent may simply go on with a new id. So such a nested execution is current, until a result in
 * its place, or an id, leads back to the execution that it interrupted:
 *
 *     e1: u c1               r1      current after c1: e1; after c2: e1 and e2;
 *     e2:      c2       r2           after c3: all; after r2: e1 and e2; after r1: e1
 *     e3:         c3 r3
 *
 * A message that is no trace is never nested: with another id, it begins an execution. The results
 * of a nested execution are in their places until the running execution has another message.
 *
 * A result is in its place when its group is the newest of its agent, and only results of that
 * group are between the call message and the result. A result out of its place decides nothing
 * about other messages, so that all verdicts are the same after results are moved to their calls.
 *
 * Of the running execution the walk remembers an answer, an error message, and whether the newest
 * group waits for the model, since all its results are there. The next message decides about them:
 *
 *     next message     the answer              the error message        the newest group
 *     an answer        is no final response    -                        does not wait any more
 *     trace            is no final response    -                        does not wait any more
 *     an error         -                       is replaced              does not wait any more
 *     a result         is no final response    -                        waits after its last result
 *     a user           begins an execution, or joins the one that waits for the model; then
 *                      -                       -                        does not wait any more
 *     a new execution  is the final response   is used instead, if      is an earlier execution's
 *     begins                                   there is no answer
 *     the end          is the final response   the same                 -
 *
 * An execution is over when the next one begins, or at the end of the stream if it has its final
 * response.
 *
 * Memory: the ids of the running execution and of those nested in it, the names of agents, and the
 * calls that have no result yet.
 */

#include "base/hash/map.h"
#include "data/message/message.h"
#include "data/nested_execution.h"
#include "data/open_calls.h"

#define WALK_NONE UINT32_MAX

/* Whether a user message joins the execution that waits for the model, or begins the next one: the
 * values of --steering. */
enum walk_steering { WALK_STEERING_JOIN, WALK_STEERING_NEW };

struct walk {
	enum walk_steering steering; /* set before the first message */
	bool is_flat; /* set before the first message: no execution is nested, so that a mend of
		       * one message does not change the place of another */
	bool started;
	uint32_t own;     /* the number of the agent of the thread */
	struct buf agent; /* the name of that agent; empty for the main agent */
	struct map agent_by_name;
	uint32_t agent_count;    /* agents with a name; their numbers begin at 1 */
	struct buf execution_id; /* of the running execution, if it was given */
	char derived_id[11];     /* its derived id: # and its number */
	uint8_t derived_len;     /* with the #; 0: the id was given, or there is none */
	struct buf scratch;
	uint32_t execution_count; /* runs so far */
	uint32_t derived_count;   /* the n of the greatest #n so far */
	uint32_t turn_count;
	uint32_t group_count;
	uint32_t call_count;
	uint32_t newest; /* the newest group of the thread */
	uint32_t due;    /* calls of the newest group without a result */
	bool is_parted;  /* other messages than its results followed the newest group */
	bool has_answer; /* the running execution has an answer that no trace followed */
	bool has_error;  /* the running execution has an error message */
	uint32_t said;   /* messages of the thread, without results and nested messages */
	struct nested_executions nested; /* of the running execution */
	struct open_calls open;
	/* The calls of the last message, verdict.calls of them: those noted in the message, or a
	 * copy in many. Valid as long as that message. */
	const struct tool_call *call;
	struct tool_call *many;
	size_t many_cap;
};

/* The decision about an earlier message that was a candidate: for the final response of its
 * execution, or for the error message that is used when there is no final response. */
enum fate {
	FATE_OPEN,  /* not decided, or there is no candidate */
	FATE_FINAL, /* the candidate is the final response, or the error message instead of one */
	FATE_GONE,  /* the candidate is neither */
};

/* What the walk derives for one message. */
struct verdict {
	bool outside;
	bool is_trace; /* for a result: the same as for its call */
	bool has_calls;
	bool is_answer;        /* a candidate for the final response */
	bool is_error_message; /* a candidate to be used instead of a final response */
	bool execution_began; /* the message is the first of an execution; the one before is over */
	bool is_request;      /* its origin is user, and it is no trace of a running execution */
	bool steers;          /* a user message that joins a running execution */
	bool is_late;         /* a result whose call is of an earlier execution */
	bool is_displaced;    /* a result out of its place, also a late result */
	enum fate answer;     /* the decision about the newest answer before this message */
	enum fate error;      /* the decision about the newest error message before this one */
	enum origin origin;
	uint32_t agent;      /* 0: the main agent */
	uint32_t execution;  /* numbered from 0 in order of beginning; WALK_NONE outside */
	uint32_t nested;     /* the nested execution within execution, from 1; 0: none */
	uint32_t turn;       /* from 1; 0 before the first user message; WALK_NONE outside */
	uint32_t group;      /* the group of a call message or of a result; or WALK_NONE */
	uint32_t first_call; /* the number of the message's first call */
	uint32_t calls;      /* the number of calls in the message */
	uint32_t answers;    /* for a result: the number of its call; or WALK_NONE */
	uint64_t note;       /* for a result: the note of its call (walk_note); 0: none */
	uint8_t section;     /* for a result: the section of its call (walk_note_section) */
};

void walk_init(struct walk *walk);

/* The name of the agent of the message; "" for the main agent. A sub-agent without a name is named
 * by the execution that called it. Valid as long as the message and the content of scratch. */
struct str walk_agent(const struct message *message, struct buf *scratch);

/* Sets the agent of the thread, instead of the agent of the first message. Call before walk_add. */
void walk_set_agent(struct walk *walk, struct str agent);

/* Takes the next message of the stream, of kind RECORD_MESSAGE, and sets *verdict. */
void walk_add(struct walk *walk, const struct message *message, struct verdict *verdict);

/* Keeps a note for call index, from 0, of the last message. The verdict for the result of that call
 * will have the note. */
void walk_note(struct walk *walk, uint32_t index, uint64_t note);

/* The same for the section of the call: a number that has a meaning for the caller only; 0:
 * none. */
void walk_note_section(struct walk *walk, uint32_t index, uint8_t section);

/* Sets the decisions of the end of the stream about the newest answer and the newest error message.
 * Returns whether the running execution is over. The walk may go on after that. */
bool walk_end(const struct walk *walk, enum fate *answer, enum fate *error);

/* The id of the running execution, explicit or derived; valid until the next walk_add. */
struct str walk_execution_id(const struct walk *walk);

/* The id of a nested execution of the running execution, by its number. */
struct str walk_nested_id(const struct walk *walk, uint32_t nested);

/* Whether that nested execution of the running execution is current. */
bool walk_is_nested_current(const struct walk *walk, uint32_t nested);

void walk_free(struct walk *walk);

#endif
