#ifndef CTX_PROJECT_INJECT_OPTION_H
#define CTX_PROJECT_INJECT_OPTION_H

/*
 * The options that put messages into a view: --inject, --inject-command and --with-system.
 */

#include "base/arena.h"
#include "policy/inject/inject.h"
#include "project.h"

struct inject_option {
	struct inject inject; /* the pattern; each session has a copy */
	struct arena arena;   /* names of files, and commands */
	bool is_used;
};

/* Reads the options, and the files that they name, which count as read in options->common. Ends the
 * program with status 64, 66 or 78 when one is wrong. operand has count operands. */
void inject_option_open(
    struct inject_option *injecting, struct options *options, char *const *operand, int count);

/* Lets the views of the choice inject, if there is anything to inject. */
void inject_option_link(struct inject_option *injecting, struct project_choice *choice);

/* Adds the counts of injections to the report, and frees the options. */
void inject_option_close(struct inject_option *injecting, const struct project_choice *choice);

#endif
