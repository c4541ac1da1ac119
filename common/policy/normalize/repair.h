#ifndef POLICY_NORMALIZE_REPAIR_H
#define POLICY_NORMALIZE_REPAIR_H

/*
 * A stage that makes a stream whole:
 *
 *   - results stand directly behind their call message, in the order of the calls;
 *   - a result that answers no call becomes a message with the role of the user;
 *   - a call without a result, in an execution that is over, gets a result that says so;
 *   - repeated messages and empty ones go; another message of a known id gets its own;
 *   - other formats' words for roles become ours.
 *
 * A message that is right already passes as it is. Each session that is a line (data/line_id.h) is
 * made whole as if it were alone.
 *
 * A record passes at once, unless it comes where a result is still due. Then the record, and all
 * records behind it, are held until the result is there or the stream ends:
 *
 *     written: call   waiting: user, result 2, assistant        result 1 comes: all can go
 */

#include "base/hash/hash.h"
#include "data/stage.h"
#include "policy/normalize/mend.h"
#include "policy/normalize/pairs.h"

/* What becomes of a group that still waits for results when the stream ends, in an execution that
 * is not over. To drop one, its calls are held until the results are there. */
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
	uint64_t outside;                /* messages of other agents that went */
	uint64_t count[VIOLATION_COUNT]; /* what was found */
	struct buf findings; /* a violation_list of what was found with only_check; whoever reads it
	                        empties it */
	struct pairs pairs;
	struct map ids;      /* every metadata.id of a message that is not pinned */
	struct hash session; /* see line_id_differs */
	struct pair_item *first;
	struct pair_item *last;
	struct buf made[REPAIR_MADE_COUNT]; /* lines of changed messages */
	struct buf text;
	struct buf scratch;
};

void repair_init(struct repair *repair, bool only_check, bool whole, enum repair_open open);
void repair_free(struct repair *repair);

#endif
