#ifndef CMD_RUNNERS_H
#define CMD_RUNNERS_H

/*
 * How the commands that are filters run. The main of each is runner_main; ctx-compile runs several
 * in one process.
 */

#include "face/runner.h"

extern const struct runner budget_runner;
extern const struct runner compact_runner;
extern const struct runner isolate_runner;
extern const struct runner normalize_runner;
extern const struct runner project_runner;
extern const struct runner route_runner;
extern const struct runner select_runner;

#endif
