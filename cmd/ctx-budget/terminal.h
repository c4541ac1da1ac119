#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>

/* The columns of the terminal on standard output; 80 when standard output is no terminal. */
unsigned terminal_width(void);

/* Whether the user's locale has UTF-8, judged by the environment. */
bool terminal_is_utf8(void);

#endif
