#ifndef LIVE_H
#define LIVE_H

/*
 * A line that is kept up to date while input arrives. A terminal has it repainted in place;
 * elsewhere each state is a line of its own. It is painted at most once an interval, and always
 * before a read that would block for longer.
 */

#include "stream/input.h"
#include "stream/output.h"

struct live {
	struct output *out;
	uint64_t interval; /* milliseconds; 0 paints only at the end */
	int64_t painted;   /* when the line was last painted */
	bool is_terminal;
	bool dirty; /* a record came since the line was painted */
	struct buf shown;
};

void live_start(struct live *live, struct output *out, uint64_t seconds);

/* Waits for input, at most until the line must be painted. Returns true when the line must be
 * painted before the next read. */
bool live_is_due(struct live *live, const struct input *in);

/* Shows line, unless the same text is shown already. */
void live_paint(struct live *live, struct str line);

/* Ends the line that is shown, so that a diagnostic begins a line of its own. */
void live_end(struct live *live);

#endif
