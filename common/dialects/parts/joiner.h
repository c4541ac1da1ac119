#ifndef PARTS_JOINER_H
#define PARTS_JOINER_H

/*
 * Records on their way from a reader to the next stage, in the order in which their first source
 * lines came. A record that is still being gathered holds back the records after it:
 *
 *     first -> [done] -> [draft ...] -> [done] -> [as it came]      released: the leading done
 *
 * With hold set, nothing is released before the end, so that later records can still drop or move
 * earlier ones. A record belongs to one joiner_thread or to none. joiner_forget drops the records
 * of one thread, in time linear in their number.
 *
 * With grows set, which requires hold, joiner_send emits records before the end. They stay in
 * memory, since later records may take them back: joiner_forget notes the ids of those that were
 * sent:
 *
 *     sent 1, sent 2, sent 3 | done, done, [draft ...]     sent 2 is dropped: its id is in taken
 *                              ^ unsent
 *
 * The text of a record that is held, or that was sent and may be sent again, is in a file
 * (file/stow.h). Ids, calls and places stay in memory.
 *
 * A released record has the name of its session (struct record). With apart set, sessions are
 * released one after the other; a record without a session stays with the record before it.
 */

#include "base/hash/map.h"
#include "dialects/draft/draft_pool.h"
#include "dialects/parts/joined.h"

struct dialect_reading;

/* A call that was taken back, or a result that was. */
struct joiner_lost {
	struct hash call;
	bool is_result;
};

enum joiner_call { JOINER_CALL_OPEN, JOINER_CALL_ANSWERED };

struct joiner {
	struct stage *stage; /* the reader's stage, which emits the records */
	struct joined_list records;
	struct draft_pool drafts;
	struct joined *freed;   /* a freed record, for reuse, or NULL */
	struct message *unread; /* a freed message, for reuse, or NULL */
	struct stow stow;       /* texts that are not needed now, but maybe later */
	bool hold;              /* nothing is released before joiner_finish */
	bool grows;             /* records are emitted by joiner_send */
	bool sends_once;        /* with grows: no record is sent twice, so texts need not be kept */
	/* with sends_once: call of a message in records -> enum joiner_call */
	struct map calls;
	struct joined *unsent; /* the first record that joiner_send has not reached; or NULL */
	/* ids of messages that were sent and are taken back, with commas between */
	struct buf taken;
	const struct joiner_session *taken_of; /* their session; or NULL */
	struct buf lost; /* their calls and results, struct joiner_lost each */
	uint64_t named;  /* with grows: messages that got an id from growth_name */
	struct buf scratch;
	struct tally *sealed;          /* for joiner_seal; of the reading */
	struct provenance *provenance; /* of the reading; or NULL */
	bool apart;                    /* with hold: sessions are released one after the other */
	bool names_lines;              /* messages get their first line as metadata.source */
	struct draft_source opened;
	const struct joiner_session *opened_of; /* the session of that message, or NULL */
};

/* Adds a record as it came. If no record is held back, it is emitted at once without a copy, and
 * NULL is returned. */
struct joined *joiner_pass(struct joiner *joiner, const struct joiner_session *session,
    struct joiner_thread *thread, struct record *record);

/* Adds a record that is to be gathered in its draft. */
struct joined *joiner_open(struct joiner *joiner, const struct joiner_session *session,
    struct joiner_thread *thread, const struct line *from, struct str role);

/* Adds the source record of a file of that format; line is the last line of the file. Adds nothing
 * if the reading has no checksum of the file. */
void joiner_end_file(struct joiner *joiner, const struct dialect_reading *reading,
    const char *format, const struct line *line);

/* Counts a part of the record as sealed under that name, which must not have a line end. The count
 * is taken back if the record is dropped. */
void joiner_seal(struct joiner *joiner, struct joined *joined, struct str name);

/* Completes the draft of the record. An empty draft makes no record. */
void joiner_close(struct joiner *joiner, struct joined *joined);

/* Whether the record, which is complete, has a text. */
static inline bool
joiner_has_text(const struct joined *joined)
{
	return joined->text.len + joined->stowed.len > 0;
}

/* Brings the text of the record into memory. Returns false with the fault of the stage set when it
 * cannot be read. */
bool joiner_fetch(struct joiner *joiner, struct joined *joined);

/* Notes that the text of the record was changed, so that it is parsed when the record is
 * released. */
void joiner_unread(struct joined *joined);

/* Adds a mark, a record of which nothing is written: it marks a place between the other records of
 * its session. */
struct joined *joiner_mark(struct joiner *joiner, const struct joiner_session *session);

/* Moves the record, which is not yet released, before another one. The order of its thread does not
 * change. */
void joiner_move(struct joiner *joiner, struct joined *joined, struct joined *before);

/* Drops a record that is not yet released. Returns whether it was a message. */
bool joiner_drop(struct joiner *joiner, struct joined *joined);

/* Drops the thread's records that are not yet released. Returns how many of them were messages. */
uint64_t joiner_forget(struct joiner *joiner, struct joiner_thread *thread);

/* With grows: emits a record that is complete and not sent. A record without a thread is freed
 * then. */
void joiner_send(struct joiner *joiner, struct joined *joined);

/* With grows: writes the draft of the record as it is so far, so that the record can be sent. */
void joiner_show(struct joiner *joiner, struct joined *joined);

/* With grows: call before more is added to the draft of the record. If the record was shown, it is
 * taken back. Returns whether it was. */
bool joiner_resume(struct joiner *joiner, struct joined *joined);

/* With grows: takes the message back if it was sent; it may be sent again. With sends_once, the
 * first result of a call is not taken back before the call, since taking it back would take back
 * the call too. */
void joiner_take_back(struct joiner *joiner, struct joined *joined);

/* Completes the open drafts and releases all records; with grows, without emitting them. */
void joiner_finish(struct joiner *joiner);

void joiner_free(struct joiner *joiner);

#endif
