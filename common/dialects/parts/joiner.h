#ifndef PARTS_JOINER_H
#define PARTS_JOINER_H

/*
 * Records on their way from a reader to the next stage, in the order in which their first source
 * lines came. A record that is still being gathered holds back the records behind it:
 *
 *     first -> [done] -> [draft ...] -> [done] -> [as it came]      released: the leading done
 *
 * With hold set, nothing is released before the end, so that what comes later can still drop
 * records or move them. A record belongs to one joiner_thread or to none. joiner_forget drops the
 * records of one thread, in time linear in their number.
 *
 * With grows set, which requires hold, records leave by joiner_send before the end, and stay here
 * since what comes later may take them back. joiner_forget then notes the ids of those that left:
 *
 *     sent 1, sent 2, sent 3 | done, done, [draft ...]     sent 2 is dropped: its id is in taken
 *                              ^ unsent
 *
 * The text of a record that is held, or has left and may be sent again, is in a file (file/stow.h);
 * what stays in memory are ids, calls and places.
 *
 * A record that is released has the name of its session (struct record). With apart set, the
 * sessions come one behind the other then; a record without one stays with the record before it.
 */

#include "base/hash/hash.h"
#include "dialects/draft/draft_pool.h"
#include "dialects/draft/draft_source.h"
#include "dialects/parts/joined.h"

struct dialect_reading;

/* A call that was taken back, or the result of one. */
struct joiner_lost {
	struct hash call;
	bool is_result;
};

enum joiner_call { JOINER_CALL_OPEN, JOINER_CALL_ANSWERED };

struct joiner {
	struct stage *stage; /* the reader's stage, which emits the records */
	struct joined_list records;
	struct draft_pool drafts;
	struct joined *freed;   /* the memory of a record that is gone, or NULL */
	struct message *unread; /* and of a message, or NULL */
	struct stow stow;       /* texts that are not needed now, and may be */
	bool hold;              /* release nothing before joiner_finish */
	bool grows;             /* records leave by joiner_send */
	bool sends_once;        /* with grows: none is sent again, so that its text need not stay */
	struct map calls;       /* with sends_once: of messages that are here -> enum joiner_call */
	struct joined *unsent;  /* the first record that joiner_send has not come to; or NULL */
	struct buf taken; /* ids of messages that left and are taken back, with commas between */
	const struct joiner_session *taken_of; /* the session of those; or NULL */
	struct buf lost; /* struct joiner_lost each: the calls and results of those */
	uint64_t named;  /* with grows: messages that got an id here */
	struct buf scratch;
	struct tally *sealed;          /* of joiner_seal; of the reading */
	struct provenance *provenance; /* of the reading; or NULL */
	bool apart;                    /* with hold: release one session behind the other */
	bool names_lines; /* a message says the line it begins on, as metadata.source */
	struct draft_source opened;
	const struct joiner_session *opened_of; /* the session of that message, or NULL */
};

/* Adds a record as it came. When nothing is held back, the record is emitted at once without a
 * copy, and NULL is returned. */
struct joined *joiner_pass(struct joiner *joiner, const struct joiner_session *session,
    struct joiner_thread *thread, struct record *record);

/* Adds a record that is to be gathered in its draft. */
struct joined *joiner_open(struct joiner *joiner, const struct joiner_session *session,
    struct joiner_thread *thread, const struct line *from, struct str role);

/* Adds the source record of the file of the line, the last one of the file, which is of that
 * format; nothing when the reading has no sum of it. */
void joiner_end_file(struct joiner *joiner, const struct dialect_reading *reading,
    const char *format, const struct line *line);

/* Counts a part of the record as sealed under that name, which has no line end. The count goes when
 * the record is dropped. */
void joiner_seal(struct joiner *joiner, struct joined *joined, struct str name);

/* Completes the draft of the record. An empty draft makes no record. */
void joiner_close(struct joiner *joiner, struct joined *joined);

/* Whether the record, which is complete, says anything. */
static inline bool
joiner_has_text(const struct joined *joined)
{
	return joined->text.len + joined->stowed.len > 0;
}

/* Brings the text of the record into memory. Returns false with the fault of the stage set when it
 * cannot be read. */
bool joiner_fetch(struct joiner *joiner, struct joined *joined);

/* The text of the record was changed: it is to be read when it is released. */
void joiner_unread(struct joined *joined);

/* Adds a mark: a record of which nothing is written. It stands for a place among the others of its
 * session. */
struct joined *joiner_mark(struct joiner *joiner, const struct joiner_session *session);

/* Moves the record, which is not yet released, to before another one. The order of its thread
 * stays. */
void joiner_move(struct joiner *joiner, struct joined *joined, struct joined *before);

/* Drops a record that is not yet released. Returns whether it was a message. */
bool joiner_drop(struct joiner *joiner, struct joined *joined);

/* Drops the thread's records that are not yet released. Returns how many of them were messages. */
uint64_t joiner_forget(struct joiner *joiner, struct joiner_thread *thread);

/* With grows: emits a record that is complete and not sent. One of no thread is gone then. */
void joiner_send(struct joiner *joiner, struct joined *joined);

/* With grows: writes what the draft of the record says so far, so that the record can be sent. */
void joiner_show(struct joiner *joiner, struct joined *joined);

/* With grows: more is about to be added to the draft of the record. What was shown of it is taken
 * back. Returns whether it was. */
bool joiner_resume(struct joiner *joiner, struct joined *joined);

/* With grows: notes that the message, if it was sent, is taken back; it may be sent again. With
 * sends_once the first result of a call stays as long as the call, which it would take with it. */
void joiner_take_back(struct joiner *joiner, struct joined *joined);

/* Completes the drafts that are still open and releases all records, with grows without emitting
 * them. */
void joiner_finish(struct joiner *joiner);

void joiner_free(struct joiner *joiner);

#endif
