#ifndef DATA_WINDOW_H
#define DATA_WINDOW_H

/*
 * A held session whose front leaves. It is for a stage that needs later records to decide about
 * earlier ones, but not all later records. Entries leave in their order, each as soon as its fate
 * is decided:
 *
 *     forgotten |  left          |  waits: an open group, an undecided failure, and all behind it
 *               0                left                                             count
 *
 * When the entries that have left outweigh those that wait, the session forgets entries that have
 * left: indexes shift, and the blocks, strings and tables of forgotten entries are freed. All of
 * this takes linear time.
 *
 * A failure may be resolved by any later execution, and a result may come late, so that one such
 * group holds all that comes behind it. With a limit, such a group of an execution that is over is
 * given up when more than that came since its call: it is taken for unresolved, and a late result
 * of it is in no group. When that is depends on the records alone, not on when some are forgotten.
 */

#include "base/number.h"
#include "data/session/held.h"

struct window {
	struct held held; /* first, so that it is a stage */
	/* Decides about an entry: changes or drops the entry and members of its group, and returns
	 * true. Returns false when the fate of the entry is not known yet; not after the last
	 * record. */
	bool (*decide)(struct window *window, uint32_t entry);
	/* NULL, or a function to call after the last record and before the first decision; then no
	 * entry is decided earlier. */
	void (*prepare)(struct window *window);
	/* NULL, or a function to call when all entries are decided; then none leaves before. */
	void (*decided)(struct window *window);
	struct size limit;     /* bytes or messages that may be held; SIZE_UNSET: no limit */
	uint64_t given_up;     /* the number of groups that were given up */
	uint32_t waiting;      /* the first group that is not settled */
	uint32_t from;         /* the entry of its call */
	uint64_t from_bytes;   /* bytes of the entries from there on */
	uint32_t left;         /* entries before this one have left */
	uint64_t left_weight;  /* bytes of the entries that have left and are not forgotten */
	uint64_t held_bytes;   /* bytes of the records that wait */
	uint64_t forget_at;    /* the left_weight from which on forgetting is tried */
	uint32_t *block_first; /* for each block of held the index of its first entry */
	size_t block_count, block_cap;
};

void window_init(struct window *window, bool (*decide)(struct window *window, uint32_t entry));

void window_free(struct window *window);

#endif
