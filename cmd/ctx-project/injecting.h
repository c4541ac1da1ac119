#ifndef CTX_PROJECT_INJECTING_H
#define CTX_PROJECT_INJECTING_H

/*
 * The options that put messages into a view: --inject, --inject-command and --with-system.
 */

#include "base/arena.h"
#include "policy/inject.h"
#include "project.h"

struct injecting {
	struct inject inject; /* each session has a copy */
	struct arena arena;   /* names of files, and commands */
	bool is_used;
};

/* Reads the options, and the files that they name, which count as read in options->common. Ends the
 * program with status 64, 66 or 78 when one is wrong. operand has count operands. */
void injecting_open(
    struct injecting *injecting, struct options *options, char *const *operand, int count);

/* Lets the views of the choice inject, if there is something to inject. */
void injecting_link(struct injecting *injecting, struct choice *choice);

/* Adds to the report, and frees. */
void injecting_close(struct injecting *injecting, const struct choice *choice);

#endif
