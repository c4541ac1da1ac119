#ifndef DATA_WALK_H
#define DATA_WALK_H

/*
 * The ordered walk over the messages of a stream: it derives what metadata does not say (origin,
 * trace, execution, turn) and pairs results with calls, from what came before and nothing else. A
 * streaming filter and a held session use the same walk, so they give the same answers.
 *
 * The thread is that of the stream's first message: the main one, or, in a stream that is a
 * sub-agent's own view, that agent's. Messages of other agents are outside: they are paired among
 * themselves, and have no execution and no turn here.
 *
 * An execution is a run of messages of one id; an id that comes back after another execution began
 * makes a new run. Derived ids are numbered on from the greatest "#n" that a message says itself.
 *
 * Memory: the running execution's id, and the calls that have no result yet.
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
};

struct walk {
	bool started;
	struct buf agent;        /* whose thread it is; empty is the main one */
	struct buf execution_id; /* of the running execution */
	struct buf scratch;
	uint32_t execution_count; /* runs so far */
	uint32_t derived_count;   /* the n of the last #n */
	uint32_t turn_count;
	uint32_t group_count;
	uint32_t call_count;
	uint32_t run_open;       /* calls of the running execution without a result */
	bool last_is_result;     /* the running execution's last message is a tool result */
	struct open_call *open;
	uint32_t open_used;
	uint32_t open_cap;
	uint32_t open_free;      /* list of reusable slots */
	struct map open_by_id;   /* (agent, id) -> newest open call */
	struct tool_call *call;  /* those of the last message, place.calls of them */
	size_t call_cap;
};

/* What the walk says of one message. */
struct place {
	bool outside;
	bool is_trace;
	bool has_calls;
	bool execution_began; /* this message is the first of its run */
	bool steers;          /* a user message that joins a running execution */
	bool is_late;         /* a result of a call of an earlier execution */
	enum origin origin;
	uint32_t execution;   /* from 0, in order of beginning; WALK_NONE outside */
	uint32_t turn;        /* from 1; 0 before the first user message; WALK_NONE outside */
	uint32_t group;       /* a call message's own, a result's call's; WALK_NONE */
	uint32_t first_call;  /* number of its first call, and how many it has */
	uint32_t calls;
	uint32_t answers;     /* the number of the call that this result answers, or WALK_NONE */
};

void walk_init(struct walk *walk);

/* Makes it the thread of that agent instead of the first message's. */
void walk_set_agent(struct walk *walk, struct str agent);

/* Takes the next message of the stream (kind RECORD_MESSAGE). */
void walk_add(struct walk *walk, const struct message *message, struct place *place);

/* The id of the running execution, explicit or derived; valid until the next walk_add. */
struct str walk_execution_id(const struct walk *walk);

void walk_free(struct walk *walk);

#endif
