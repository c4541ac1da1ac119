#ifndef FILTER_FILTER_H
#define FILTER_FILTER_H

/*
 * The user's own filter as a transform: a command of the shell that reads the budget record and
 * then the messages that are left, and writes messages. What it did is told by
 * policy/compact/align.h, held against the invariants, and added to the list of changes. So output,
 * archive, plan and report know no difference between a filter and a transform of this program.
 *
 * A filter is run anew when the transforms run anew, unless its input is the same.
 */

#include "policy/compact/transform.h"

/* The rules of all filters. */
extern const struct transform filter_rules;

/* Makes a transform that runs the command. */
const struct transform *filter_open(struct str command);
void filter_close(const struct transform *transform);

/* Runs the filter. Sets the fault of the options when the command fails (69), and when it writes
 * what is no message or an invariant broke (70): nothing may be written then. */
void filter_run(struct compaction *compaction, const struct transform *transform);

/* Whether the pipeline has a filter. */
bool filter_is_in(const struct transform *const *pipeline);

#endif
