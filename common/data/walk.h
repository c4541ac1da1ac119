#ifndef DATA_WALK_H
#define DATA_WALK_H

/*
 * The walk over the messages of a stream, in their order. For each message it gives a verdict. The
 * verdict has what the message is: given by metadata, or else derived from the messages before. It
 * also has what the message makes of earlier ones. Streaming stages and held sessions use the same
 * walk, so they give the same answers.
 *
 * The thread has the messages of one agent: the agent of the stream's first message. That is the
 * main agent, or a sub-agent when the stream is the sub-agent's own. Messages of other agents are
 * outside: their calls and results are paired among themselves, and they have no execution and no
 * turn here.
 *
 * An execution is a run of messages of one id. An id that comes back after another execution began
 * makes a new run. The numbers of derived ids go on from the greatest "#n" in metadata.
 *
 * A nested execution is marked trace with an id of its own, amid the running execution: a user
 * message that is trace begins one, and any other trace while the newest group lacks results. Its
 * messages belong to the running execution, where they are no turns, no answers and in no group's
 * way. Without a user message the agent may as well go on under a new id, so that such an execution
 * is current until a result in its place, or an id, goes back to the one below:
 *
 *     e1: u c1               r1      current after c1: e1; after c2: e1 and e2;
 *     e2:      c2       r2           after c3: all; after r2: e1 and e2; after r1: e1
 *     e3:         c3 r3
 *
 * A message that is no trace is never nested: with an id of its own it begins an execution. The
 * results of a nested execution are in their places as long as the running one says nothing else.
 *
 * A result is in its place when its group is the newest of its agent and nothing but results of
 * that group stands between. A result out of its place changes nothing, so that the verdicts are
 * the same once all results have moved to their calls.
 *
 * Of the running execution the walk remembers an answer, an error message, and whether the newest
 * group waits for the model, since all its results are there. The next message decides about them:
 *
 *     next message     the answer              the error message        the newest group
 *     an answer        is no final response    -                        does not wait any more
 *     trace            is no final response    -                        does not wait any more
 *     an error         -                       stands for nothing       does not wait any more
 *     a result         is no final response    -                        waits after its last result
 *     a user           begins an execution, or joins the one that waits for the model; then
 *                      -                       -                        does not wait any more
 *     a new execution  is the final response   stands in its place, if  is an earlier execution's
 *     begins                                   there is no answer
 *     the end          is the final response   the same                 -
 *
 * An execution is over when the next one begins, and at the end if it has its final response.
 *
 * Memory: the ids of the running execution and of those nested in it, the names of agents, and the
 * calls that have no result yet.
 */

#include "data/message/message.h"
#include "data/nested_execution.h"
#include "data/open_calls.h"

#define WALK_NONE UINT32_MAX

/* Whether a user message joins the execution that waits for the model, or begins the next one: the
 * values of --steering. */
enum walk_steering { WALK_STEERING_JOIN, WALK_STEERING_NEW };

struct walk {
	enum walk_steering steering; /* set before the first message */
	bool is_flat; /* the same: nothing is nested, so that a mend changes no place */
	bool started;
	uint32_t own;     /* the number of the agent of the thread */
	struct buf agent; /* the name of that agent; empty for the main agent */
	struct map agent_by_name;
	uint32_t agent_count;    /* agents with a name; their numbers begin at 1 */
	struct buf execution_id; /* of the running execution, if it was given */
	char derived_id[11];     /* else # and its number */
	uint8_t derived_len;     /* with the #; 0: the id was given, or there is none */
	struct buf scratch;
	uint32_t execution_count; /* runs so far */
	uint32_t derived_count;   /* the n of the greatest #n so far */
	uint32_t turn_count;
	uint32_t group_count;
	uint32_t call_count;
	uint32_t newest; /* the newest group of the thread */
	uint32_t due;    /* calls of the newest group without a result */
	bool is_parted;  /* behind the newest group stands more than its results */
	bool has_answer; /* the running execution has an answer that no trace followed */
	bool has_error;  /* the running execution has an error message */
	uint32_t said;   /* messages of the thread but results and what is nested */
	struct nested_executions nested; /* of the running execution */
	struct open_calls open;
	/* The calls of the last message, verdict.calls of them: noted in it, or else in many.
	 * Valid as long as that message. */
	const struct tool_call *call;
	struct tool_call *many;
	size_t many_cap;
};

/* What becomes of an earlier message that was a candidate: for the final response of its execution,
 * or for the error message that stands for an execution without a final response. */
enum fate {
	FATE_OPEN,  /* not decided, or there is no candidate */
	FATE_FINAL, /* the candidate is the final response, or the error message in its place */
	FATE_GONE,  /* the candidate is neither */
};

/* What the walk derives for one message. */
struct verdict {
	bool outside;
	bool is_trace; /* of a result: as its call */
	bool has_calls;
	bool is_answer;        /* a candidate for the final response */
	bool is_error_message; /* a candidate for standing in place of a final response */
	bool execution_began; /* the message is the first of an execution; the one before is over */
	bool is_request;      /* of origin user, and no trace of an execution that runs */
	bool steers;          /* a user message that joins a running execution */
	bool is_late;         /* a result whose call is of an earlier execution */
	bool is_displaced;    /* a result out of its place; late results are, too */
	enum fate answer;     /* what becomes of the newest answer before this message */
	enum fate error;      /* what becomes of the newest error message before it */
	enum origin origin;
	uint32_t agent;      /* 0: the main agent */
	uint32_t execution;  /* numbered from 0 in order of beginning; WALK_NONE outside */
	uint32_t nested;     /* the nested execution in that one, from 1; 0: none */
	uint32_t turn;       /* from 1; 0 before the first user message; WALK_NONE outside */
	uint32_t group;      /* of the message's calls, or of a result's call; or WALK_NONE */
	uint32_t first_call; /* the number of the message's first call */
	uint32_t calls;      /* how many calls the message has */
	uint32_t answers;    /* of a result: the number of its call; or WALK_NONE */
	uint64_t note;       /* of a result: the note of its call; 0: none */
	uint8_t section;     /* of a result: that of its call, as a number of the caller; 0: none */
};

void walk_init(struct walk *walk);

/* The name of the agent whose message it is; "" is the main agent. A sub-agent without a name is
 * told apart by the execution that called it. Valid as long as the message and the content of
 * scratch. */
struct str walk_agent(const struct message *message, struct buf *scratch);

/* Sets whose thread it is, instead of the agent of the first message. Call before walk_add. */
void walk_set_agent(struct walk *walk, struct str agent);

/* Takes the next message of the stream, of kind RECORD_MESSAGE, and sets *verdict. */
void walk_add(struct walk *walk, const struct message *message, struct verdict *verdict);

/* Keeps a note with call index (from 0) of the last message. The verdict on the result of that call
 * will have the note. */
void walk_note(struct walk *walk, uint32_t index, uint64_t note);

/* The same with the number that the caller has for the section of the call. */
void walk_note_section(struct walk *walk, uint32_t index, uint8_t section);

/* Sets what the end of the stream makes of the newest answer and of the newest error message.
 * Returns whether the running execution is over. The walk may go on afterwards. */
bool walk_end(const struct walk *walk, enum fate *answer, enum fate *error);

/* The id of the running execution, explicit or derived; valid until the next walk_add. */
struct str walk_execution_id(const struct walk *walk);

/* The id of that nested execution of the running one. */
struct str walk_nested_id(const struct walk *walk, uint32_t nested);

/* Whether the trace of that nested execution of the running one is current. */
bool walk_is_nested_current(const struct walk *walk, uint32_t nested);

void walk_free(struct walk *walk);

#endif
