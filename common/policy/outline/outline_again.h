#ifndef POLICY_OUTLINE_OUTLINE_AGAIN_H
#define POLICY_OUTLINE_OUTLINE_AGAIN_H

/*
 * How a call of an outline ended, and how often it was made again without a line of its own, as the
 * end of its line:
 *
 *     $ make gauge (failed) (3 more times, the last ok)
 */

#include "base/buf.h"

/* SILENT: the command succeeded and printed nothing. OPEN: there is no result, or the status is
 * another command's; the line then has no outcome. */
enum outline_again_outcome {
	OUTLINE_AGAIN_OK,
	OUTLINE_AGAIN_FAILED,
	OUTLINE_AGAIN_SILENT,
	OUTLINE_AGAIN_OPEN,
	OUTLINE_AGAIN_OUTCOMES
};

struct outline_again {
	uint64_t more; /* times */
	enum outline_again_outcome outcome;
	enum outline_again_outcome ended; /* the outcome of the last call; written if it differs */
};

/* The most bytes that the end of the line takes. */
size_t outline_again_room(const struct outline_again *again);

void outline_again_write(const struct outline_again *again, struct buf *text);

/* Takes the end off a line; one without has the outcome OK. */
struct outline_again outline_again_take(struct str *line);

#endif
