#ifndef FILTER_FILTER_H
#define FILTER_FILTER_H

/*
 * The user's own filter as a transform: a command of the shell that reads the budget record and
 * then the messages that are left, and writes messages. policy/compact/align.h finds the filter's
 * changes, which are checked against the invariants and added to the list of changes. So output,
 * archive, plan and report treat a filter like a transform of this program.
 *
 * A filter is run anew when the transforms run anew, unless its input is the same.
 */

#include "policy/compact/transform.h"

/* The rules of all filters. */
extern const struct transform filter_rules;

/* Makes a transform that runs the command. */
const struct transform *filter_open(struct str command);
void filter_close(const struct transform *transform);

/* Runs the filter. Sets the fault of the options when the command fails (69), and when a line that
 * it writes is no message or breaks an invariant (70): then nothing may be written. */
void filter_run(struct compaction *compaction, const struct transform *transform);

bool filter_is_in(const struct transform *const *pipeline);

#endif
