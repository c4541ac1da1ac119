#ifndef WORDS_CALLS_H
#define WORDS_CALLS_H

/*
 * Calls in one line each, the tool and its target apart:
 *
 *     read    src/gauge.c (lines 40-95)
 *     bash    $ make test
 *
 * The line of a call waits for its result; in memory are those of calls without one.
 */

#include "base/arena.h"
#include "data/walk.h"
#include "tokens/estimator.h"

struct call_line {
	struct buf tool, use;
	struct buf file; /* that it reads or writes; empty: none */
	uint64_t tokens; /* of the name and the arguments */
};

struct calls {
	struct estimator *estimator;
	struct call_line *line;
	size_t count, cap;
	size_t *unused; /* lines whose calls have their results */
	size_t unused_count, unused_cap;
	size_t *made; /* lines of the calls of the message at hand */
	size_t made_count, made_cap;
	uint64_t answered; /* the line of the call that the message at hand answers, from 1; or 0 */
	struct arena arena;
	struct buf head;
};

/* Takes the message that the walk has just given the verdict on. The notes of the walk are those of
 * the lines. */
void calls_take(struct calls *calls, struct walk *walk, const struct verdict *verdict);

/* The line of that call of the message at hand; and that of the call which it answers, or NULL. */
const struct call_line *calls_made(const struct calls *calls, uint32_t index);
const struct call_line *calls_answered(const struct calls *calls);

void calls_free(struct calls *calls);

#endif
