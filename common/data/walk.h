#ifndef DATA_WALK_H
#define DATA_WALK_H

/*
 * The ordered walk over the messages of a stream. For each message it gives a verdict: what the
 * message is, derived from what came before where metadata does not say it, and what the message
 * makes of earlier ones. A streaming filter and a held session use the same walk, so they give the
 * same answers.
 *
 * The thread is that of the stream's first message: the main one, or, in a stream that is a
 * sub-agent's own view, that agent's. Messages of other agents are outside: they are paired among
 * themselves, and have no execution and no turn here.
 *
 * An execution is a run of messages of one id; an id that comes back after another execution began
 * makes a new run. Derived ids are numbered on from the greatest "#n" that a message says itself.
 *
 * A result is in its place when its group is the newest of its agent and nothing but results of
 * that group stands between. What comes out of its place changes nothing, so that the verdicts are
 * the same once all results have moved to their calls. In the running execution there stands, at
 * most:
 *
 *                      an answer               an error message         the newest group, waiting
 *     an answer        is no final response    -                        does not wait any more
 *     trace            is no final response    -                        does not wait any more
 *     an error         -                       stands for nothing       does not wait any more
 *     a result         is no final response    -                        waits when it is whole
 *     a user           begins an execution, or joins the one that waits for the model; then
 *                      -                       -                        does not wait any more
 *     a new execution  is the final response   stands for it, if there  is an earlier execution's
 *     begins                                   is no answer
 *     the end          is the final response   stands for nothing
 *
 * An execution is over when the next one begins, and at the end if it has its final response.
 *
 * Memory: the running execution's id, the names of agents, and the calls that have no result yet.
 */

#include "base/arena.h"
#include "base/hash.h"
#include "data/message.h"

#define WALK_NONE UINT32_MAX

/* A call without a result, in a list of equal ids, the newest first. */
struct open_call {
	uint32_t older; /* WALK_NONE ends the list */
	uint32_t call;
	uint32_t group;
	uint32_t execution;
	bool is_trace; /* its group is */
	uint64_t note; /* walk_note's */
};

struct walk {
	bool started;
	uint32_t own;            /* the number of the agent whose thread it is */
	struct buf agent;        /* and its name; empty is the main one */
	struct map agent_by_name;
	uint32_t agent_count;    /* that have a name; their numbers begin at 1 */
	struct buf execution_id; /* of the running execution */
	struct buf scratch;
	uint32_t execution_count; /* runs so far */
	uint32_t derived_count;   /* the n of the last #n */
	uint32_t turn_count;
	uint32_t group_count;
	uint32_t call_count;
	uint32_t newest;         /* the newest group of the thread */
	uint32_t due;            /* its calls without a result */
	bool is_parted;          /* another message than its results stands behind it */
	bool has_answer;         /* the running execution, which no trace followed */
	bool has_error;
	struct open_call *open;
	uint32_t open_used;
	uint32_t open_cap;
	uint32_t open_free;      /* list of reusable slots */
	struct map open_by_id;   /* (agent, id) -> newest open call */
	struct tool_call *call;  /* those of the last message, verdict.calls of them */
	size_t call_cap;
	uint32_t *slot;          /* where they are among the open ones */
	size_t slot_cap;
};

/* What becomes of an earlier message that was a candidate: for the final response of its execution,
 * or for the error message that stands for an execution without one. */
enum fate {
	FATE_OPEN,  /* nothing yet, or there is none */
	FATE_FINAL,
	FATE_GONE,
};

/* What the walk says of one message. */
struct verdict {
	bool outside;
	bool is_trace;         /* the members of a group are what their call is */
	bool has_calls;
	bool is_answer;        /* a candidate for the final response */
	bool is_error_message; /* a candidate for what stands for it */
	bool execution_began;  /* this message is the first of its run, and the one before is over */
	bool steers;           /* a user message that joins a running execution */
	bool is_late;          /* a result of a call of an earlier execution */
	bool is_displaced;     /* a result out of its place, as all late ones are */
	enum fate answer;      /* what becomes of the newest answer before it */
	enum fate error;       /* and of the newest error message */
	enum origin origin;
	uint32_t agent;       /* 0 is the main one */
	uint32_t execution;   /* from 0, in order of beginning; WALK_NONE outside */
	uint32_t turn;        /* from 1; 0 before the first user message; WALK_NONE outside */
	uint32_t group;       /* a call message's own, a result's call's; WALK_NONE */
	uint32_t first_call;  /* number of its first call, and how many it has */
	uint32_t calls;
	uint32_t answers;     /* the number of the call that this result answers, or WALK_NONE */
	uint64_t note;        /* of that call; 0: none */
};

void walk_init(struct walk *walk);

/* Makes it the thread of that agent instead of the first message's; call before walk_add. */
void walk_set_agent(struct walk *walk, struct str agent);

/* Takes the next message of the stream (kind RECORD_MESSAGE). */
void walk_add(struct walk *walk, const struct message *message, struct verdict *verdict);

/* Notes something of a call of the last message, its index'th, for the verdict of its result. */
void walk_note(struct walk *walk, uint32_t index, uint64_t note);

/* What the end of the stream makes of the newest answer and error message; whether the running
 * execution is over with it. The walk may go on behind it. */
bool walk_end(const struct walk *walk, enum fate *answer, enum fate *error);

/* The id of the running execution, explicit or derived; valid until the next walk_add. */
struct str walk_execution_id(const struct walk *walk);

void walk_free(struct walk *walk);

#endif
