#ifndef POLICY_NORMALIZE_PAIRS_H
#define POLICY_NORMALIZE_PAIRS_H

/*
 * Calls and their results, as they come and as they are written. The walk (data/walk.h) finds the
 * call that a result answers. This module knows which groups lack results, whether a result came in
 * its place, and which record may be written next.
 *
 * Each agent has its own places: messages of another agent, and records that are no messages, do
 * not separate a call from its result.
 */

#include "base/hash/map.h"
#include "data/walk.h"
#include "policy/normalize/group.h"

struct pair_agent {
	struct pair_group *last;    /* only its results followed it; NULL: none, or whole */
	uint32_t last_number;       /* the number of that group, also of a whole one; or NONE */
	uint32_t last_slot;         /* one more than the highest slot whose result came */
	struct pair_group *writing; /* the call is written, some results are not */
};

struct pairs {
	struct walk walk;
	struct pair_agent *agent; /* by the walk's numbers */
	uint32_t agent_count;
	uint32_t agent_cap;
	/* Of the groups that are not whole; the newest may be missing. */
	struct map group_by_number;
	struct map group_by_id; /* id of the message -> the newest group that is not whole */
	struct map recent;      /* (agent, call id) -> the last group that had it, and its call */
	struct pair_group *newest; /* of the groups that are not whole */
	struct pair_group
	    *forgotten; /* left unchanged for good, but waiting records may refer to them */
	struct pair_group *unused;
	/* Executions that began, and the key of the last one's id. Marked trace of another id is
	 * nested in it. */
	uint32_t begun;
	struct hash begun_key;
	uint32_t freeze_from; /* the first group since the last user message, or bad line */
	bool bad_since_user;
	bool whole; /* see struct repair */
	struct buf scratch;
};

/* What is known of a message. */
struct pair_fact {
	struct verdict verdict;
	struct pair_group *group; /* opened or answered by it; NULL: its place does not matter */
	uint32_t slot;            /* of a result */
	bool is_result;           /* of group */
	bool is_orphan;           /* a result that answers no call, and is to be mended */
	enum violation violation; /* which kind of orphan */
};

void pairs_init(struct pairs *pairs, bool whole);
void pairs_free(struct pairs *pairs);

/* Forgets all messages: the next one is the first of its stream. */
void pairs_reset(struct pairs *pairs);

/* Takes the next message. */
void pairs_add(struct pairs *pairs, const struct line *line, const struct message *message,
    struct pair_fact *fact);

/* Call for a bad line, which may hold a missing result: the waiting groups since the last user
 * message are left unchanged. */
void pairs_freeze(struct pairs *pairs);

/* Leaves the waiting group whose message has that id, if there is one, unchanged for good. */
void pairs_forget(struct pairs *pairs, struct json_value id);

/* Leaves a group unchanged: none of its results moves, and none is made. */
void pairs_leave(struct pairs *pairs, struct pair_group *group);

/* pairs_may_write tells whether a message may be written next; pairs_wrote notes that it has been
 * written. A group is gone when its last result is written. */
bool pairs_may_write(const struct pairs *pairs, const struct pair_fact *fact);
void pairs_wrote(struct pairs *pairs, const struct pair_fact *fact);

/* Notes that the next slot of the group was written. */
void pairs_wrote_slot(struct pairs *pairs, struct pair_group *group);

/* Whether the calls of the group that have no result will get none; ask at the end of the stream.
 * With whole set, this also holds if their agent went on without the results. */
bool pairs_is_over(const struct pairs *pairs, const struct pair_group *group);

/* Takes the group off the list of those that are not whole. */
void pairs_drop(struct pairs *pairs, struct pair_group *group);

#endif
