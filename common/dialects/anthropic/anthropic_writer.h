#ifndef ANTHROPIC_ANTHROPIC_WRITER_H
#define ANTHROPIC_ANTHROPIC_WRITER_H

/*
 * Writes messages of the Anthropic API. Neighbours of one role become one message. Results lead the
 * user message that follows their calls. System and developer messages keep their place under the
 * role system. They separate their neighbours, and roles alternate between them. The writer relies
 * on the repair before it: every call has a result, and results directly follow their calls. The
 * writer holds one message: the last one, which may still grow.
 */

#include "dialects/dialect.h"

struct dialect_stage *anthropic_writer(void);

#endif
