#ifndef POLICY_NORMALIZE_REPAIR_H
#define POLICY_NORMALIZE_REPAIR_H

/*
 * A stage that makes a stream whole: results stand directly behind their call, in call order; a
 * result that answers no call becomes a message of the user's role; a call whose execution is over
 * gets a result that says that there is none; repeated ids and empty messages go; foreign words for
 * roles become ours. What is right already passes as it is.
 *
 * A record passes at once unless it came where a result is still due. Then it is held, with
 * all that comes behind it, until the result is there or the stream ends:
 *
 *     written: call   waiting: user, result 2, assistant        result 1 comes: all can go
 */

#include "data/stage.h"
#include "policy/normalize/pairs.h"

struct repair {
	struct stage stage;
	bool only_check; /* emits nothing and holds nothing; what it finds, it lists */
	/* For a dialect that has nothing but the messages of one agent: those of others go, what is
	 * pinned is mended too, a bad line keeps no group as it stands, and only a trailing group
	 * may lack results. */
	bool whole;
	uint64_t count[VIOLATION_COUNT]; /* what was found */
	struct buf findings; /* a violation_list of what was found with only_check; whoever reads it
	                        empties it */
	struct pairs pairs;
	struct map ids; /* every metadata.id of a message that is not pinned */
	struct pair_item *first;
	struct pair_item *last;
	struct buf made[2]; /* lines of changed messages */
	struct buf text;
	struct buf scratch;
};

void repair_init(struct repair *repair, bool only_check, bool whole);
void repair_free(struct repair *repair);

#endif
