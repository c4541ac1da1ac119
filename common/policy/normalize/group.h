#ifndef POLICY_NORMALIZE_GROUP_H
#define POLICY_NORMALIZE_GROUP_H

/*
 * A call message whose results are not all there, or not all written.
 *
 *     slots     [written][written][item][ -- ][item]      in the order of the calls
 *                                 ^written  a result that has not come
 *
 * Its states:
 *
 *     call message
 *          |            a bad line may hold what is missing; or the stream ends,
 *          v            the execution is not over, and nothing came out of order
 *       WAITING --------------------------------------------------------------> LEFT
 *          |    \                                                       as it stands, for good:
 *          |     \   the stream ends otherwise                          no result moves any more
 *          |      `------------------------------> gone: what came is written in order; what is
 *          |  the last result comes                missing is made, if the execution is over
 *          v
 *        WHOLE ----------------------------------> gone, once its results are written in order
 */

#include "data/message/message.h"
#include "data/queue.h"
#include "policy/normalize/violation.h"
#include "stream/input.h"

/* Calls of one message that share an id: their slots are filled in the order of the results.
 *
 *     first -> next -> next        in the order of the calls; the first has in due the next to fill
 */
struct pair_twin {
	uint32_t first;
	uint32_t next;
	uint32_t due;
};

enum pair_state {
	PAIR_WAITING,
	PAIR_WHOLE,
	PAIR_LEFT,
};

struct pair_group {
	struct pair_group *older; /* in the list of groups that are not whole, or of unused ones */
	struct pair_group *newer;
	uint32_t number;
	uint32_t agent;
	uint32_t execution; /* of struct pairs, begun */
	uint32_t first_call;
	uint32_t calls;
	uint32_t answered;
	uint32_t written; /* slots that were written, from the first */
	enum pair_state state;
	bool is_outside;    /* another agent's */
	bool is_followed;   /* its agent went on while it lacked a result */
	bool has_orphan;    /* a result that answers no call follows the call message */
	bool is_disordered; /* a result came out of its place, or after an orphan */
	const char *file;
	size_t line;
	struct hash id; /* of its message's metadata.id, if has_id is set */
	bool has_id;
	size_t *slot;     /* numbers of results in the queue; QUEUE_NONE: not come, or written */
	bool *has_result; /* by slot */
	bool *is_named;   /* by call (of twins, the first): whether an id is a string */
	struct pair_twin *twin; /* by call, when ids repeat in the message; else NULL */
	uint32_t cap;           /* of slot, has_result and is_named */
	struct buf kept;        /* texts for the results that would stand for missing ones */
	struct buf kept_end; /* size_t each: where a text of kept ends; the message's come first */
	/* A violation_list of the results that came out of their place. While the group may still
	 * be left unchanged, its results may stay in their places. So these become findings only
	 * when the group is whole, or can no longer become whole. */
	struct buf misplaced;
};

/* A group of that many calls; reuses one of the list of unused groups if there is one. */
struct pair_group *pair_group_new(struct pair_group **unused, uint32_t calls);

/* Frees a list of groups, linked by older. */
void pair_group_free_list(struct pair_group *group);

/* Takes the next call of the message, in order, and keeps the texts for a missing result. */
void pair_group_add_call(
    struct pair_group *group, const struct message *message, const struct tool_call *call);

/* Notes that two calls of the message, both taken, share an id. */
void pair_group_add_twin(struct pair_group *group, uint32_t before, uint32_t call);

/* Takes the slot for a result that answers the call, or a twin of the call, and returns it. */
uint32_t pair_group_take_slot(struct pair_group *group, uint32_t call);

/* Whether a result can name the call, or a twin of the call. */
bool pair_group_is_named(const struct pair_group *group, uint32_t call);

/* Appends the record that would stand for the result of a call. */
void pair_group_write_missing(const struct pair_group *group, uint32_t call, struct buf *to);

#endif
