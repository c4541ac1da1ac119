#ifndef LIVE_H
#define LIVE_H

/*
 * A line that is kept up to date while the input goes on: repainted on a terminal, a new line
 * elsewhere, no more often than asked, and always before the reader would wait for longer.
 */

#include "face/filter.h"

struct live {
	struct filter *filter;
	uint64_t interval; /* milliseconds; 0 paints only at the end */
	int64_t painted;   /* when */
	bool is_terminal;
	bool dirty;        /* records came since */
	struct buf shown;
	void (*write)(void *context, struct buf *line); /* appends the line */
	void *context;
};

/* Starts painting: hooks into the filter's input. */
void live_start(struct live *live, struct filter *filter, uint64_t seconds);

/* Paints the last line and ends it. */
void live_end(struct live *live);

#endif
