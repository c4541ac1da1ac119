#ifndef DATA_HELD_H
#define DATA_HELD_H

/*
 * What a stage that holds the whole stream as a session begins with: it takes every record into the
 * session and keeps its bytes. At the end the stage decides and emits entries:
 *
 *     struct compaction {
 *             struct held held;          first, so that it is a stage
 *             ...
 *     };
 *
 *     held_init(&compaction->held, end);
 *
 *     static void
 *     end(struct stage *stage)
 *     {
 *             struct compaction *compaction = (struct compaction *)stage;
 *
 *             if (!held_finish(&compaction->held))
 *                     return;
 *             ...
 *             held_emit_all(&compaction->held);
 *     }
 *
 * Bytes that came stay in the blocks that they were read into; an entry that no policy changed
 * leaves by reference.
 */

#include "data/session.h"
#include "data/stage.h"

struct held {
	struct stage stage;
	struct session session;
	struct block_list blocks;
	size_t at; /* the block of the last entry that was emitted */
};

void held_init(struct held *held, void (*end)(struct stage *stage));

/* Takes a record into the session, as the stage does. */
void held_take(struct stage *stage, struct record *record);

/* Ends the session, of which every record was added. False with the fault set, of status 64, when no
 * execution has the id that is to be the current one's. */
bool held_finish(struct held *held);

/* Emits an entry as it is now, its number as that of its line. */
void held_emit(struct held *held, uint32_t entry);

/* Emits every entry that no policy dropped. */
void held_emit_all(struct held *held);

void held_free(struct held *held);

#endif
