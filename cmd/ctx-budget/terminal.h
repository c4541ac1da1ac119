#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>

/* Columns of the terminal that standard output is; 80 where it is none. */
unsigned terminal_width(void);

/* Whether the user's locale has UTF-8, by the variables that decide it. */
bool terminal_is_utf8(void);

#endif
