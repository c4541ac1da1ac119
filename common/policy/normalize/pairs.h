#ifndef POLICY_NORMALIZE_PAIRS_H
#define POLICY_NORMALIZE_PAIRS_H

/*
 * Calls and their results as they come and as they are written. The walk of data/walk.h says
 * which call a result answers; here stands which groups lack results, whether a result came in its
 * place, and what may be written next.
 *
 * Places are counted within an agent: what another agent says between a call and its result, and
 * records that are no messages, part nothing.
 */

#include "data/walk.h"
#include "policy/normalize/group.h"

struct pair_agent {
	struct pair_group *last;    /* the group that only its results followed; NULL: whole */
	uint32_t last_number;       /* its number, or NONE */
	uint32_t last_slot;         /* one more than the highest that came */
	struct pair_group *writing; /* its call is written, its results are not all */
};

struct pairs {
	struct walk walk;
	struct pair_agent *agent; /* by the walk's numbers */
	uint32_t agent_count;
	uint32_t agent_cap;
	struct map group_by_number;
	struct map recent; /* (agent, call id) -> the last group that had it, and its call */
	struct pair_group *newest; /* of the groups that are not whole */
	struct pair_group *unused;
	uint32_t freeze_from; /* the first group since the last user message, or bad line */
	bool bad_since_user;
	bool whole; /* see struct repair */
	struct buf scratch;
};

/* What is known of a message. */
struct pair_fact {
	struct verdict verdict;
	struct pair_group *group; /* that it opens or answers; NULL: its place does not matter */
	uint32_t slot;            /* of a result */
	bool is_result;           /* of group */
	bool is_orphan;           /* a result that answers no call, and is to be mended */
	enum violation violation; /* what kind of orphan */
};

void pairs_init(struct pairs *pairs, bool whole);
void pairs_free(struct pairs *pairs);

/* Takes the next message. */
void pairs_add(struct pairs *pairs, const struct line *line, const struct message *message,
    struct pair_fact *fact);

/* A bad line: groups since the last user message that wait are left as they stand. */
void pairs_freeze(struct pairs *pairs);

/* Leaves a group as it stands. */
void pairs_leave(struct pairs *pairs, struct pair_group *group);

/* Whether a message may be written next, and that it was. A group that is whole is gone then. */
bool pairs_may_write(const struct pairs *pairs, const struct pair_fact *fact);
void pairs_wrote(struct pairs *pairs, const struct pair_fact *fact);

/* One more slot of the group was written. */
void pairs_wrote_slot(struct pairs *pairs, struct pair_group *group);

/* Whether calls without a result will not get one; ask at the end. With whole set, calls are given
 * up too when their agent went on without their results. */
bool pairs_is_over(const struct pairs *pairs, const struct pair_group *group);

/* Takes the group off the list of those that are not whole. */
void pairs_drop(struct pairs *pairs, struct pair_group *group);

#endif
