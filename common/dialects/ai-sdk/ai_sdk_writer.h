#ifndef AI_SDK_AI_SDK_WRITER_H
#define AI_SDK_AI_SDK_WRITER_H

/*
 * Writes ModelMessages of the AI SDK (version 7, and 5 and 6), which the SDK sends to a model: each
 * result is a message of the role tool. (A UIMessage would hold a result only together with its
 * call.) An image in a result becomes a text that names it, and is counted.
 */

#include "dialects/dialect.h"

struct dialect_stage *ai_sdk_writer(void);

#endif
