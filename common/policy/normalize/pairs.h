#ifndef POLICY_NORMALIZE_PAIRS_H
#define POLICY_NORMALIZE_PAIRS_H

/*
 * Calls and their results as they come and as they are written. The walk of data/thread.h says
 * which call a result answers; here stands which groups lack results, whether a result came in its
 * place, and what may be written next.
 *
 * Places are counted within an agent: what another agent says between a call and its result, and
 * records that are no messages, part nothing.
 *
 *     slots of a group     [written][written][item][ -- ][item]      in the order of its calls
 *                                            ^written  a result that has not come
 */

#include "data/thread.h"
#include "policy/normalize/violation.h"
#include "stream/input.h"

/* Calls of one message with one id: their results fill their slots in the order in which they come.
 *
 *     first -> next -> next        in the order of the calls; due, of the first: the next to fill
 */
struct pair_twin {
	uint32_t first;
	uint32_t next;
	uint32_t due;
};

struct pair_item; /* whoever holds results back gives them a shape */

struct pair_group {
	struct pair_group *older; /* of the groups that are not whole; or the next unused one */
	struct pair_group *newer;
	uint32_t number;
	uint32_t agent;
	uint32_t execution;
	uint32_t first_call;
	uint32_t calls;
	uint32_t answered;
	uint32_t written;        /* slots that were written, from the first */
	bool is_frozen;          /* a bad line may hold its missing result */
	bool is_followed;        /* its agent went on while it lacked a result */
	const char *file;
	size_t line;
	struct pair_item **slot; /* results that are held back; NULL: not come, or written */
	bool *has_result;        /* by slot */
	struct pair_twin *twin;  /* by call, when ids repeat in the message; else NULL */
	uint32_t cap;            /* of slot and has_result */
	struct buf missing;      /* for each call the record that would stand for its result */
	struct buf missing_end;  /* size_t each: where it ends */
	struct buf misplaced;    /* struct pair_misplaced, each with its id behind it */
};

/* A result out of its place. It is one once its group is whole, or never will be: while the group
 * may still be frozen, nobody will move it. */
struct pair_misplaced {
	enum violation violation;
	const char *file;
	size_t line;
	size_t id_len; /* JSON */
};

struct pair_agent {
	struct pair_group *last;    /* the group that nothing but its results followed; NULL: whole */
	uint32_t last_number;       /* its number, or NONE */
	uint32_t last_slot;         /* one more than the highest that came */
	struct pair_group *writing; /* its call is written, its results are not all */
};

struct pairs {
	struct thread thread;
	struct pair_agent *agent; /* 0 is the one without a parent */
	uint32_t agent_count;
	uint32_t agent_cap;
	struct map agent_by_key;
	struct map group_by_number;
	struct map recent;        /* (agent, call id) -> the last group that had it, and its call */
	struct pair_group *newest; /* of the groups that are not whole */
	struct pair_group *unused;
	uint32_t freeze_from;     /* groups since the last user message */
	bool bad_since_user;
	bool has_final;           /* the running execution does, as it would be written */
	struct buf scratch;
};

/* What is known of a message. */
struct pair_fact {
	struct place place;
	uint32_t agent;
	struct pair_group *group; /* that it opens or answers; NULL when that says nothing of order */
	uint32_t slot;            /* of a result */
	bool is_result;           /* of group */
	bool is_orphan;           /* a result that answers no call, and is to be mended */
	enum violation violation; /* what kind of orphan */
};

void pairs_init(struct pairs *pairs);
void pairs_free(struct pairs *pairs);

/* Takes the next message. */
void pairs_add(struct pairs *pairs, const struct line *line, const struct message *message,
    struct pair_fact *fact);

/* A bad line: groups since the last user message that lack a result are left alone from here on. */
void pairs_freeze(struct pairs *pairs);

/* Whether a message may be written next, and that it was. A group that is whole is gone then. */
bool pairs_may_write(const struct pairs *pairs, const struct pair_fact *fact);
void pairs_wrote(struct pairs *pairs, const struct pair_fact *fact);

/* One more slot of the group was written. */
void pairs_wrote_slot(struct pairs *pairs, struct pair_group *group);

/* Whether calls without a result will not get one; ask at the end. With whole set, calls are given
 * up too when their agent went on without their results. */
bool pairs_is_over(const struct pairs *pairs, const struct pair_group *group, bool whole);

/* The record that would stand for the result of a call of the group. */
struct str pairs_missing(const struct pair_group *group, uint32_t call);

/* The next of the group's misplaced results from at on, its id with it; false when there is none. */
bool pairs_next_misplaced(const struct pair_group *group, size_t *at,
    struct pair_misplaced *misplaced, struct str *id);

/* Takes the group off the list of those that are not whole. */
void pairs_drop(struct pairs *pairs, struct pair_group *group);

#endif
