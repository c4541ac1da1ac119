#ifndef LIVE_H
#define LIVE_H

/*
 * A line that is kept up to date while the input goes on: repainted on a terminal, a new line
 * elsewhere, no more often than asked, and always before the reader would wait for longer.
 */

#include "stream/input.h"
#include "stream/output.h"

struct live {
	struct output *out;
	uint64_t interval; /* milliseconds; 0 paints only at the end */
	int64_t painted;   /* when */
	bool is_terminal;
	bool dirty; /* records came since */
	struct buf shown;
};

void live_start(struct live *live, struct output *out, uint64_t seconds);

/* Waits for input for as long as the line need not be painted. True when it is to be painted before
 * the next read. */
bool live_is_due(struct live *live, const struct input *in);

/* Shows the line, unless it is the one that is shown. */
void live_paint(struct live *live, struct str line);

/* Ends the last line. */
void live_end(struct live *live);

#endif
