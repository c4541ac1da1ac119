#ifndef DATA_WINDOW_H
#define DATA_WINDOW_H

/*
 * A held session from which the oldest entries leave. It is for a stage that needs some later
 * records to decide about earlier ones, but not all later records. Entries leave in their order,
 * each as soon as the stage has decided about it:
 *
 *     forgotten |  left          |  waits: an open group, an undecided failure, and all after it
 *               0                left                                             count
 *
 * When the entries that have left have more bytes than those that wait, the session forgets entries
 * that have left: indexes shift, and the blocks, strings and tables of forgotten entries are freed.
 * The whole run takes linear time. Texts that nobody reads again are freed before that, unless
 * rereads is set.
 *
 * A failure may be resolved by any later execution, and a result may come late. Such a group holds
 * back all entries after it. With a limit, the group is given up when its execution is over and
 * more bytes or messages than the limit came since its call: the failure then counts as unresolved,
 * and a late result gets no group. The moment depends only on the records, and not on when entries
 * are forgotten.
 */

#include "base/number.h"
#include "data/session/held.h"

struct window {
	struct held held; /* first, so that it is a stage */
	/* Decides about an entry: changes or drops the entry and entries of its group, and returns
	 * true. Returns false when later records must decide; never after the last record. */
	bool (*decide)(struct window *window, uint32_t entry);
	/* NULL, or a function to call after the last record and before the first decision: with
	 * this function, nothing is decided before the last record. */
	void (*prepare)(struct window *window);
	/* NULL, or a function to call when all entries are decided: with this function, no entry
	 * leaves before that. */
	void (*decided)(struct window *window);
	/* decide may read the text of an entry that has left, of another group than its own */
	bool rereads;
	struct size limit;    /* bytes or messages that may be held; SIZE_UNSET: no limit */
	uint64_t given_up;    /* the number of groups that were given up */
	uint32_t waiting;     /* the first group that is not settled */
	uint32_t from;        /* the entry of the call message of that group */
	uint64_t from_bytes;  /* bytes of the entries from that entry on */
	uint32_t spent;       /* the texts of the entries before this one are freed */
	uint32_t left;        /* entries before this one have left */
	uint64_t left_weight; /* bytes of the entries that have left and are not forgotten */
	uint64_t held_bytes;  /* bytes of the records that wait */
	uint64_t forget_at;   /* the left_weight at which the session tries to forget entries */
};

void window_init(struct window *window, bool (*decide)(struct window *window, uint32_t entry));

void window_free(struct window *window);

#endif
