#ifndef SESSION_HELD_H
#define SESSION_HELD_H

/*
 * A stage that holds the whole stream as a session. It takes every record into the session and
 * keeps the record's bytes. A stage of this kind has it as its first member, and at the end decides
 * and emits entries:
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
	struct block_list blocks;
	size_t at; /* index of the block of the entry that was emitted last */
};

void held_init(struct held *held, void (*end)(struct stage *stage));

/* Takes a record into the session; this is the take of the stage. */
void held_take(struct stage *stage, struct record *record);

/* Makes record one of an entry as it is now. The number of its line is the number of the entry. Its
 * bytes live as long as the entry. */
void held_record(struct held *held, uint32_t entry, struct record *record);

/* Emits that record. */
void held_emit(struct held *held, uint32_t entry);

/* Emits every entry that no policy dropped, and what policies added, in its place. */
void held_emit_all(struct held *held);

/* Emits every entry as it was given, whatever policies did. */
void held_emit_given(struct held *held);

void held_free(struct held *held);

#endif
