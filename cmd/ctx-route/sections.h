#ifndef CTX_ROUTE_SECTIONS_H
#define CTX_ROUTE_SECTIONS_H

/*
 * The stage behind the routing that sorts a held session by its sections: --clear drops sections,
 * and --overflow puts what section messages has too much into section buffer. Where that does not
 * fit, the input goes out as it was given, whatever the stages before have done to it.
 */

#include "data/queue.h"
#include "data/session/held.h"
#include "data/session/session_locks.h"
#include "face/run.h"
#include "policy/budget/weigh.h"

/*
 * What section "messages" has too much goes to section "buffer": its oldest whole groups and
 * messages, in their places, until the rest fits.
 *
 *     before   u1 a1 | u2 c2 r2 a2 | u3 a3      messages
 *     after    u1                    u3 a3      messages: the framing, and the newest that fit
 *                 a1   u2 c2 r2 a2              buffer
 *
 * These stay: system and developer messages, the framing of the task, the newest message or its
 * group, groups that are open, pinned, or that a bad line may belong to, messages of an unknown
 * role, and messages of other agents, which do not count. A turn is in the section as long as one
 * message of the turn is; messages before the first turn are of none.
 *
 * Memory: a byte for each entry, and four for each turn.
 */
struct sections_overflow {
	uint64_t moved; /* messages */
	uint64_t least; /* where the rest does not fit: what stays, in the unit of the size */
};

/* Where a record came from, and what the stages before have done to it. */
struct sections_origin {
	const char *file;
	size_t line;
	enum record_state state;
	enum group_lock stays; /* why it stays in a section that was to be cleared */
	const char *section;   /* that section */
};

/* The stage in front of all others. It keeps the records as they came, and passes them. */
struct sections_original {
	struct stage stage;
	struct queue queue;
};

struct sections {
	struct held held;
	struct sections_original original;
	struct size most; /* of section messages; unset: any */
	const struct option_list *clear;
	struct estimator *estimator;    /* open with a size in tokens */
	struct sections_origin *origin; /* by entry */
	size_t count, cap;
	uint64_t cleared; /* messages */
	struct sections_overflow overflow;
	bool fits;
};

/* Whether one of the options was given, so that the stage is needed. */
static inline bool
sections_are_asked(struct size most, const struct option_list *clear)
{
	return most.unit != SIZE_UNSET || clear->count > 0;
}

/* Ends the program with status 64 when a value of --clear is wrong. */
void sections_check(const struct option_list *clear);

/* What was done to the sections of all sessions. */
struct sections_sums {
	uint64_t cleared, moved;
};

/* most and clear are as the options give them. The estimator must be open with a size in tokens. */
void sections_init(struct sections *sections, struct size most, const struct option_list *clear,
    struct estimator *estimator, const struct common_options *options);

/* Names on standard error what stays in a section that was to be cleared, the first ten or, with
 * --verbose, all, and says where section messages does not fit, which is status 1. Adds to the
 * sums. */
void sections_finish(const struct sections *sections, struct run *run, struct sections_sums *sums);

void sections_free(struct sections *sections);

#endif
