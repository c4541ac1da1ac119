#ifndef FACE_HOLD_H
#define FACE_HOLD_H

/* The option --hold of commands whose stage is a window (data/window.h). */

#include "data/window.h"
#include "face/run.h"

/* Row of an option table; hold is a struct size of the command's struct. */
#define OPTION_HOLD(type)                                                                          \
	{"hold", 0, "SIZE", "hold so many bytes or msgs at most; older failures are given up",      \
	    OPTION_SIZE, offsetof(struct type, hold), NULL, 0}

/* Dies with status 64 when the size is none that can be held. */
void hold_check(struct size hold);

/* Adds to the report how many groups the window gave up, if it had a limit. */
void hold_report(struct run *run, const struct window *window);

#endif
