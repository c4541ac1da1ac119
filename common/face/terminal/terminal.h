#ifndef TERMINAL_TERMINAL_H
#define TERMINAL_TERMINAL_H

/*
 * How text for people is to look: what standard output is, and what the environment says of it.
 */

#include <stdbool.h>

/* The values of --color. */
enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

extern const char *const terminal_colors[];

struct terminal {
	unsigned width; /* columns; 80 when standard output is no terminal */
	bool utf8;      /* the user's locale has UTF-8 */
	bool color;
};

/* Whether standard output is a terminal. */
bool terminal_is_output(void);

/* By COLOR_AUTO there is colour on a terminal that is not dumb, unless NO_COLOR is set and not
 * empty (no-color.org). */
void terminal_init(struct terminal *terminal, enum color color);

#endif
