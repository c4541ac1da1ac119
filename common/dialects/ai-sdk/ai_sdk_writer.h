#ifndef AI_SDK_AI_SDK_WRITER_H
#define AI_SDK_AI_SDK_WRITER_H

/*
 * Writes ModelMessages of the AI SDK (version 7, and 5 and 6), which a model is given: each result
 * is a message of the role tool, whereas a UIMessage holds results with their calls and has no
 * place for those that stand apart. Images in results are named by a text, and counted.
 */

#include "dialects/dialect.h"

struct dialect_stage *ai_sdk_writer(void);

#endif
