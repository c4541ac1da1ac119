#ifndef POLICY_ISOLATE_TAIL_H
#define POLICY_ISOLATE_TAIL_H

/*
 * The newest messages, which stay. How much stands between the front of a window and the end of the
 * stream is known before the end, once enough has come:
 *
 *     left             looked                      count
 *      | results, tokens |   not looked at yet       |
 *
 * The counts go from the front, its entry included, to looked. They move with the front. No entry
 * is looked at twice, so that all of this takes linear time.
 */

#include "data/window.h"
#include "tokens/estimate.h"

struct tail {
	uint32_t looked; /* entries from the front on that were looked at */
	uint64_t results;
	uint64_t tokens; /* 0 as long as nobody asks for tokens */
};

/* Whether at least so many results, and at least so many tokens, are known to stand from the front
 * of the window on. */
bool tail_reaches(struct tail *tail, struct window *window, uint64_t results, uint64_t tokens,
    struct estimator *estimator);

/* Moves the front behind its entry, which had that many tokens before it was changed; 0 where
 * nobody asks for tokens. */
void tail_advance(struct tail *tail, const struct window *window, uint64_t tokens);

#endif
