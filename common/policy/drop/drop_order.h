#ifndef POLICY_DROP_DROP_ORDER_H
#define POLICY_DROP_DROP_ORDER_H

/*
 * Which units may be dropped, and in which order: phase by phase, and in each the oldest first.
 *
 * The newest summary that another program made is not dropped, because it is all that is left of
 * the messages before it. A stream belongs to the agent of its first message. So the first message,
 * with its group, is not dropped if another agent's message would then be the first.
 */

#include "policy/compact/compaction.h"

/* The last three are kept by value: they are dropped after all other units. */
enum drop_order_phase {
	PHASE_EARLIER, /* earlier executions */
	PHASE_CURRENT, /* the current one */
	PHASE_PAIRS,   /* the newest pairs of call and result */
	PHASE_USER,    /* the newest messages of the user, up to 15 % of the target */
	PHASE_FAILED,  /* open failures, if they may go at all */
	PHASES
};

struct drop_order {
	struct compaction *compaction;
	uint8_t *phase;   /* enum drop_order_phase, by entry; NULL: nothing is kept by value */
	uint32_t summary; /* the newest summary of another program, or NONE */
	uint32_t first;   /* the first message, if it must stay, or NONE */
};

/* Where goals are to be met, nothing is kept by value. */
void drop_order_init(struct drop_order *order, struct compaction *compaction, bool by_value);
void drop_order_free(struct drop_order *order);

/* Whether the entry is there and may go. */
bool drop_order_may(const struct drop_order *order, uint32_t entry);

/* Whether the unit of the entry goes in that phase. */
bool drop_order_is_in(const struct drop_order *order, uint32_t entry, enum drop_order_phase phase);

/* Dooms the units that will certainly be dropped before the target is met. */
void drop_order_doom(const struct drop_order *order);

#endif
