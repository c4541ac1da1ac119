#ifndef POLICY_NORMALIZE_REPAIR_H
#define POLICY_NORMALIZE_REPAIR_H

/*
 * A stage that makes a stream whole:
 *
 *   - results directly follow their call message, in the order of the calls;
 *   - a result that answers no call becomes a message with the role of the user;
 *   - a call without a result, in an execution that is over, gets a result that says so;
 *   - repeated messages and empty ones go; another message of a known id gets its own;
 *   - other formats' words for roles become ours.
 *
 * A message that a tombstone names (metadata.forgets) is over: its calls wait for no results, and a
 * later message may have its id.
 *
 * A message that is right already passes as it is. Of several sessions in one stream, one after
 * another (data/stream_session.h), each is made whole as if it were alone.
 *
 * A record passes at once, unless it comes where a result is still due. Then the record, and all
 * records after it, are held until the result comes or the stream ends:
 *
 *     written: call   waiting: user, result 2, assistant        result 1 comes: all can go
 */

#include "data/stream_session.h"
#include "policy/normalize/mend.h"
#include "policy/normalize/message_ids.h"
#include "policy/normalize/repair_queue.h"

/* The treatment of a group that still waits for results when the stream ends, in an execution that
 * is not over. With REPAIR_OPEN_DROP, calls are held until their results come. */
enum repair_open {
	REPAIR_OPEN_CLOSE, /* each missing result is made, as of an execution that is over */
	REPAIR_OPEN_KEEP,
	REPAIR_OPEN_DROP, /* its calls go, with the message and the results that are there */
};

/* A mended message has a line for each change; the mends of mend_table come first. */
enum { REPAIR_MADE_ORPHAN = MEND_COUNT, REPAIR_MADE_ID, REPAIR_MADE_COUNT };

struct repair {
	struct stage stage;
	bool only_check; /* emits nothing, holds nothing, and lists its findings */
	/* For a dialect that has only the messages of one agent. Messages of other agents go.
	 * Pinned messages are mended too. Only a trailing group may lack results, unless open says
	 * otherwise. */
	bool whole;
	/* For a dialect that has no place for bad lines: none leaves a group as it stands. Set by
	 * repair_init where whole is. */
	bool ignores_bad;
	enum repair_open open;
	uint64_t count[VIOLATION_COUNT]; /* what was found */
	struct buf
	    *findings; /* a violation_list for what is found with only_check; of the caller */
	struct pairs pairs;
	struct message_ids ids;
	struct stream_session session;
	struct repair_queue waiting;
	struct buf made[REPAIR_MADE_COUNT]; /* lines of changed messages */
	struct buf text;
	struct buf scratch;
};

/* findings may be NULL without only_check. */
void repair_init(struct repair *repair, struct buf *findings, bool only_check, bool whole,
    enum repair_open open);
void repair_free(struct repair *repair);

#endif
