#ifndef INSTRUCTOR_INSTRUCTOR_WRITER_H
#define INSTRUCTOR_INSTRUCTOR_WRITER_H

/* Writes stores of instructor: each session becomes one AgentContext. The writer holds one session,
 * and relies on the order that instructor_order makes before it. */

#include "dialects/dialect.h"

struct dialect_stage *instructor_writer(void);

#endif
