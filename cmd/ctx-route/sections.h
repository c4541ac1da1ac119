#ifndef CTX_ROUTE_SECTIONS_H
#define CTX_ROUTE_SECTIONS_H

/*
 * The stage after the routing that works on the sections of a held session: --clear drops sections,
 * and --overflow moves messages that are too many for the section messages into the section buffer.
 * If the rest does not fit even then, the input is emitted unchanged, without the edits of earlier
 * stages.
 */

#include "data/queue.h"
#include "data/session/held.h"
#include "data/session/session_locks.h"
#include "face/run.h"

/*
 * Messages that are too many for section "messages" go to section "buffer": the oldest whole groups
 * and messages, in their places, until the rest fits.
 *
 *     before   u1 a1 | u2 c2 r2 a2 | u3 a3      messages
 *     after    u1                    u3 a3      messages: the framing, and the newest that fit
 *                 a1   u2 c2 r2 a2              buffer
 *
 * These stay: system and developer messages, the framing of the task, the newest message or its
 * group, groups that are open, pinned, or that a bad line may belong to, messages of an unknown
 * role, and messages of other agents, which do not count. A turn is in the section while one of its
 * messages is; messages before the first turn belong to no turn.
 *
 * Memory: a byte for each entry, and four for each turn.
 */
struct sections_overflow {
	uint64_t moved; /* messages */
	/* if the rest does not fit: the size that must stay, in the unit of the limit */
	uint64_t least;
};

/* The origin of a record, and its state after the earlier stages. */
struct sections_origin {
	const char *file;
	size_t line;
	enum record_state state;
	enum group_lock stays; /* why the record stays in a section that is cleared */
	const char *section;   /* that section */
};

/* The first stage. It keeps the records as they were read, and passes them. */
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

/* The messages cleared and moved, of all sessions. */
struct sections_sums {
	uint64_t cleared, moved;
};

/* most and clear are as the options give them. The estimator must be open with a size in tokens. */
void sections_init(struct sections *sections, struct size most, const struct option_list *clear,
    struct estimator *estimator, const struct common_options *options);

/* Reports on standard error the messages that stay in a cleared section (the first ten, or, with
 * --verbose, all), and whether section messages does not fit, which sets status 1. Adds to the
 * sums. */
void sections_finish(const struct sections *sections, struct run *run, struct sections_sums *sums);

void sections_free(struct sections *sections);

#endif
