#ifndef DATA_WINDOW_H
#define DATA_WINDOW_H

/*
 * A held session whose front leaves: what a stage begins with that needs later records to decide
 * about earlier ones, but not all of them. An entry leaves, in order, as soon as the stage knows
 * what becomes of it:
 *
 *     forgotten |  left          |  waits: an open group, an undecided failure, and all behind it
 *               0                left                                             count
 *
 * When what has left outweighs what waits, the session is built anew without it: indexes shift, and
 * blocks, strings and tables of what is forgotten are freed. All of that takes linear time.
 *
 * A failure may be resolved by any later execution, and a result may come late, so that one such
 * group holds all that comes behind it. With a limit, the oldest one of an execution that is over
 * is given up when more than that is held: it is taken for unresolved, whatever comes.
 */

#include "base/number.h"
#include "data/held.h"

struct window {
	struct held held; /* first, so that it is a stage */
	/* Decides about an entry: changes and drops what has to, of its group too, and returns
	 * true; or false when that is not known yet. At the end it must know. */
	bool (*decide)(struct window *window, uint32_t entry);
	/* Not NULL: no decision is made before the end, and this is called before the first one. */
	void (*prepare)(struct window *window);
	struct size limit;  /* bytes or messages that may be held; SIZE_UNSET: no limit */
	uint64_t given_up;  /* groups */
	uint32_t left;
	uint64_t left_weight;
	uint64_t held_bytes;
	uint64_t forget_at; /* the weight from which on it is tried */
	uint32_t *block_first; /* by block of held: its first entry */
	size_t block_count, block_cap;
};

void window_init(struct window *window, bool (*decide)(struct window *window, uint32_t entry));

void window_free(struct window *window);

#endif
