#ifndef POLICY_OUTLINE_OUTLINE_TRACE_H
#define POLICY_OUTLINE_OUTLINE_TRACE_H

/*
 * The calls that a trace artifact (policy/isolate/artifacts.c) stands for, as steps of an outline
 * without details, since their results went before:
 *
 *     [trace] read a.c: ok, 9 kB; bash make test: error, 2 kB      read a.c
 *                                                                  $ make test (failed)
 */

#include "policy/outline/outline_step.h"

/* Adds the calls of the artifact, which is that entry. */
void outline_trace_add(struct outline_step *step, uint32_t artifact);

#endif
