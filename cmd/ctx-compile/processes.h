#ifndef CTX_COMPILE_PROCESSES_H
#define CTX_COMPILE_PROCESSES_H

/*
 * Running the stages. Stages that follow each other and are filters of ctx share a process, where
 * no pipe is between them (face/runner.h):
 *
 *     ctx-normalize = ctx-route -> pipe -> ./own-filter -> pipe -> ctx-project = ctx-compact
 *
 * What comes out is what the pipeline of stages_explain writes.
 */

#include "stages.h"

/* Runs the stages, whose files are found, from standard input to out. Returns whether one of them
 * has ended with 65. Sets the fault when they cannot be run. When a stage fails, says which, and
 * ends the program as that has ended. */
bool processes_run(const struct stages *stages, int out, struct fault *fault);

#endif
