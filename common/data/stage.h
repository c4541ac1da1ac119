#ifndef DATA_STAGE_H
#define DATA_STAGE_H

/*
 * A stage takes records one by one, in the order of the stream, and emits records. Views,
 * isolation, repair, readers and writers of dialects, and compaction are stages; the last stage of
 * every chain is the sink. Data goes down the chain and never back:
 *
 *     source -> stage -> stage -> sink
 *
 * The struct of a stage has a struct stage as its first member. The stage's init function sets take
 * and end; stage_link sets next and fault:
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
 * A stage may emit a record as it is, or set the edit and state of the record first. It may hold a
 * record (record_hold) and emit it later (stage_emit_held), or drop it by not emitting it. It may
 * emit a new record (record_make). A stage also gets blank, foreign and bad records, and emits them
 * in their place, unless its purpose is to drop them. The pieces of an overlong line
 * (line.continued) come one directly after another.
 *
 * A stage uses no descriptors or options, and never ends the program. It reports failures in the
 * fault of the run. It keeps findings and counts in its own struct, where the command reads them
 * after each record or at the end. A command links and runs its stages with face/run.h.
 */

#include "base/fault.h"
#include "data/record.h"

struct stage {
	/* Takes the next record. Not called after a fault. */
	void (*take)(struct stage *stage, struct record *record);
	/* Called when the stream has ended: emits the records that are still held. It does not call
	 * the end of the next stage; stage_end does. */
	void (*end)(struct stage *stage);
	struct stage *next;  /* NULL for the sink */
	struct fault *fault; /* of the run */
};

/* Hands the record to the next stage. */
static inline void
stage_emit(struct stage *stage, struct record *record)
{
	stage->next->take(stage->next, record);
}

/* Hands a copy of a record that the stage holds to the next stage. A later stage may give the copy
 * another block; the holder keeps its own record, and must release it. */
static inline void
stage_emit_held(struct stage *stage, const struct record *held)
{
	struct record record = *held;

	stage_emit(stage, &record);
}

/* Links the stages, a list ended by NULL, in their order, and the last one of the list to last. All
 * get the same fault. */
void stage_link(struct stage *const *stages, struct stage *last, struct fault *fault);

/* The end function of a stage that holds no records. */
void stage_pass_end(struct stage *stage);

/* Ends the stage first and all stages after it, in their order. */
void stage_end(struct stage *first);

#endif
