#ifndef TERMINAL_SCREEN_ROW_H
#define TERMINAL_SCREEN_ROW_H

/*
 * A line of a list of messages: columns that say which message it is, and then as much of its text
 * as fits.
 *
 *     57    09:02 tool           312  cut          static void reset(struct gauge *gauge)
 *     place       role        tokens  action       text
 */

#include "face/terminal/screen.h"

enum { SCREEN_ROW_PLACE = 13 }; /* columns of the place */

struct screen_row {
	struct str place; /* its columns, of printable ASCII */
	struct str role;
	uint64_t tokens;
	bool has_tokens;
	struct str action;
	unsigned action_columns; /* 0: there is no such column */
	unsigned indent;         /* of all, for sub-agents */
	unsigned inset;          /* of the text */
	struct str text;
	enum cells_paint paint, action_paint, text_paint;
};

void screen_row_add(struct screen *screen, const struct screen_row *row);

/* Adds the line that names the columns; action is the name of its column, or "" where there is
 * none. */
void screen_row_head(
    struct screen *screen, struct str place, struct str action, unsigned action_columns);

#endif
