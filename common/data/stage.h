#ifndef DATA_STAGE_H
#define DATA_STAGE_H

/*
 * A stage takes records one by one, in the order of the stream, and emits records: a view,
 * isolation, repair, a reader of a dialect, a writer, compaction, and at the end of every chain the
 * sink. Data goes down the chain and never climbs back:
 *
 *     source -> stage -> stage -> sink
 *
 * A stage's own struct has a struct stage as its first member. It knows no descriptor, option or
 * exit; what goes wrong it sets in the fault of the run, and what it has to tell (findings, counts)
 * it keeps in its own struct, where the command reads it.
 */

#include "base/fault.h"
#include "data/record.h"

struct stage {
	/* The next record; after a fault nothing is taken any more. */
	void (*take)(struct stage *stage, struct record *record);
	/* The stream has ended: emits what is still held. The chain goes on with next. */
	void (*end)(struct stage *stage);
	struct stage *next;  /* NULL: the sink */
	struct fault *fault; /* the run's */
};

/* Hands the record to the next stage. */
static inline void
stage_emit(struct stage *stage, struct record *record)
{
	stage->next->take(stage->next, record);
}

/* Links a list of stages, ended by NULL, in their order; all share the fault. */
void stage_link(struct stage *const *stages, struct fault *fault);

/* Ends the stage and all behind it, in order. */
void stage_end(struct stage *first);

#endif
