#ifndef DATA_STAGE_H
#define DATA_STAGE_H

/*
 * A stage takes records one by one, in the order of the stream, and emits records: a view,
 * isolation, repair, a reader of a dialect, a writer, compaction, and at the end of every chain the
 * sink. Data goes down the chain and never climbs back:
 *
 *     source -> stage -> stage -> sink
 *
 * A stage's own struct has a struct stage as its first member, which the stage's init function
 * sets; next and fault are set when the chain is linked:
 *
 *     struct view {
 *             struct stage stage;
 *             ...                        state, findings, counts
 *     };
 *
 *     static void
 *     take(struct stage *stage, struct record *record)
 *     {
 *             struct view *view = (struct view *)stage;
 *
 *             if (is_visible(view, record_message(record, &view->message)))
 *                     stage_emit(stage, record);
 *     }
 *
 *     *view = (struct view){.stage = {.take = take, .end = stage_pass_end}};
 *
 * A stage may emit a record as it came, or set its edit and state, or emit one of its own
 * (record_make), or hold it (record_hold) and emit it later, or drop it by not emitting it. Blank,
 * foreign and bad records come too and go on in their place unless the stage is meant to drop them.
 * A piece of an overlong line (line.continued) follows the piece before it.
 *
 * A stage knows no descriptor, option or exit; what goes wrong it sets in the fault of the run, and
 * what it has to tell (findings, counts) it keeps in its own struct, where the command reads it
 * after each record or at the end. A command links and runs its stages with face/run.h.
 */

#include "base/fault.h"
#include "data/record.h"

struct stage {
	/* The next record; after a fault nothing is taken any more. */
	void (*take)(struct stage *stage, struct record *record);
	/* The stream has ended: emits what is still held. The chain goes on with next. */
	void (*end)(struct stage *stage);
	struct stage *next;  /* NULL: this is the sink */
	struct fault *fault; /* the run's */
};

/* Hands the record to the next stage. */
static inline void
stage_emit(struct stage *stage, struct record *record)
{
	stage->next->take(stage->next, record);
}

/* Links a list of stages, ended by NULL, in their order and in front of last; all share the
 * fault. */
void stage_link(struct stage *const *stages, struct stage *last, struct fault *fault);

/* The end of a stage that holds nothing. */
void stage_pass_end(struct stage *stage);

/* Ends the stage and all behind it, in order. */
void stage_end(struct stage *first);

#endif
