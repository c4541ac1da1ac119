#ifndef TERMINAL_CELLS_H
#define TERMINAL_CELLS_H

/*
 * The cells of tables for people, appended to a buffer one after another. Text of records is put
 * into its visible form.
 *
 *     label                  12,345   9.6%  ████▌
 */

#include "base/buf.h"

enum { CELLS_TOKENS = 13, CELLS_SHARE = 8, CELLS_LABEL_MIN = 16, CELLS_BAR_MAX = 40 }; /* columns */

/* Colours and weights, by number in the control sequence that selects them (ECMA-48, SGR). */
enum cells_paint {
	PAINT_NONE,
	PAINT_BOLD = 1,
	PAINT_FAINT = 2,
	PAINT_RED = 31,
	PAINT_GREEN = 32,
	PAINT_YELLOW = 33,
	PAINT_BLUE = 34
};

struct cells {
	struct buf *buf;
	unsigned label;
	unsigned bar;
	bool utf8;
	bool color;
	uint64_t whole; /* the number of a full bar */
};

/* The label, cut or padded to its column. */
void cells_label(const struct cells *cells, struct str text);

/* The text, aligned to the right of a column of that width. */
void cells_right(const struct cells *cells, struct str text, size_t width);

/* A number of tokens and its share of the whole. */
void cells_number(const struct cells *cells, uint64_t tokens);

/* A line of a label, a number, its share, and a bar. */
void cells_row(
    const struct cells *cells, struct str label, uint64_t tokens, enum cells_paint paint);

/* A line of a label and an amount of dollars. */
void cells_dollars(const struct cells *cells, struct str label, double dollars);

/* What is added between these is painted, where there is colour. */
void cells_begin_paint(const struct cells *cells, enum cells_paint paint);
void cells_end_paint(const struct cells *cells, enum cells_paint paint);

/* The columns of labels: most, or fewer where a line of that width has too few beside others. */
unsigned cells_label_fit(unsigned most, unsigned width, unsigned others);

/* Makes the bars as wide as a line of so many columns leaves room for. */
void cells_fit(struct cells *cells, unsigned width);

#endif
