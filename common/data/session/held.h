#ifndef SESSION_HELD_H
#define SESSION_HELD_H

/*
 * A stage that holds the whole stream as a session. It adds every record to the session and keeps
 * the bytes of the record. A stage of this kind has struct held as its first member. At the end of
 * the stream it decides about entries and emits them:
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
 *             session_end(&compaction->held.session);
 *             ...
 *             held_emit_all(&compaction->held);
 *     }
 *
 * The bytes of a record stay in the block that they were read into, so an entry that no policy
 * changed is written by reference.
 */

#include "data/session/session.h"
#include "data/stage.h"

struct held {
	struct stage stage;
	struct session session;
	struct block_list blocks; /* NULL for a block that was given back before those after it */
	uint32_t *first;          /* for each block the index of its first entry */
	size_t first_count, first_cap;
	size_t given; /* the blocks before this one were given back */
	size_t at;    /* index of the block of the entry that was emitted last */
};

void held_init(struct held *held, void (*end)(struct stage *stage));

/* Adds a record to the session; this is the take function of the stage. */
void held_take(struct stage *stage, struct record *record);

/* Sets record to the present record of an entry. The number of its line is the number of the entry.
 * The bytes live as long as the entry. */
void held_record(struct held *held, uint32_t entry, struct record *record);

/* Emits the present record of an entry. */
void held_emit(struct held *held, uint32_t entry);

/* Emits every entry that no policy dropped, and every record that policies added, in its place. */
void held_emit_all(struct held *held);

/* Emits every entry as it was in the input, without the changes of policies. */
void held_emit_given(struct held *held);

/* Gives back the blocks that have only entries before end. Nobody may read these entries' bytes
 * again. */
void held_give_back(struct held *held, uint32_t end);

/* The session forgets its first entries, before base: gives their blocks back, and counts from
 * base. */
void held_forget(struct held *held, uint32_t base);

void held_free(struct held *held);

#endif
