#ifndef CTX_COMPILE_PROCESSES_H
#define CTX_COMPILE_PROCESSES_H

/*
 * Running the stages. Stages that follow each other and are filters of ctx share a process, where
 * no pipe is between them (face/runner.h):
 *
 *     ctx-normalize = ctx-route -> pipe -> ./own-filter -> pipe -> ctx-project = ctx-compact
 *
 * The output is the same as that of the pipeline of stages_explain.
 */

#include "stages.h"

/* Runs the stages, whose files are found, from standard input to out. Returns whether one of them
 * ended with status 65. Sets the fault when they cannot be run. When a stage fails, names it, and
 * ends the program with its status. */
bool processes_run(const struct stages *stages, int out, struct fault *fault);

#endif
