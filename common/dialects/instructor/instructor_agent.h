#ifndef INSTRUCTOR_INSTRUCTOR_AGENT_H
#define INSTRUCTOR_INSTRUCTOR_AGENT_H

/*
 * Reads an AgentContext: it becomes a context record and its messages, section by section, in the
 * order in which instructor shows sections to a model, which is the order of time.
 */

#include "dialects/instructor/instructor_output.h"

void instructor_agent_read(struct instructor_output *output, const struct record *record);

#endif
