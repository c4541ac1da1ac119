#ifndef CHOICES_HOLD_H
#define CHOICES_HOLD_H

/* The option --hold of commands whose stage is a window (data/window.h). */

#include "face/run.h"

/* A row of an option table, and its relations. The command's struct has a member hold, a struct
 * size. */
#define OPTION_HOLD(type, ...) \
	{ \
		"hold", 0, "SIZE", \
		    "hold so many bytes or msgs at most; older failures are given up", \
		    OPTION_ROOM, offsetof(struct type, hold), __VA_ARGS__ \
	}

/* Adds to the report how many groups were given up; nothing when no limit was given. */
void hold_report(struct run *run, struct size hold, uint64_t given_up);

#endif
