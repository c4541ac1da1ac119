#ifndef TERMINAL_TERMINAL_H
#define TERMINAL_TERMINAL_H

/*
 * How text for people looks: by the kind of standard output, and by the environment.
 */

#include <stdbool.h>

/* The values of --color. */
enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

extern const char *const terminal_colors[];

struct terminal {
	unsigned width; /* columns: $COLUMNS, else the terminal's, else 80 */
	bool utf8;      /* the user's locale has UTF-8 */
	bool color;
};

/* Whether standard output is a terminal. */
bool terminal_is_output(void);

/* Whether the terminal, by TERM, knows no control sequences. */
bool terminal_is_dumb(void);

/* By COLOR_AUTO there is no colour where NO_COLOR is set and not empty (no-color.org); else there
 * is where CLICOLOR_FORCE is set and neither empty nor 0, and on a terminal that is not dumb. */
void terminal_init(struct terminal *terminal, enum color color);

#endif
