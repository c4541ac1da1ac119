#ifndef FACTS_CHECK_OUTCOME_H
#define FACTS_CHECK_OUTCOME_H

/*
 * How a check ended, by its output.
 */

#include "base/str.h"

/* The exit status that a tool wrote into the result ("Process exited with code 1"); -1: none. */
int check_outcome_status(struct str text);

/* The line with the outcome of the check, without blanks around it: the last count of failures (1
 * failed, 4 passed); else the first error that no count of passing tests follows; else the last
 * such count; else the last line of an end (Finished, BUILD SUCCESSFUL). "": there is no such
 * line. */
struct str check_outcome_line(struct str text);

#endif
