#ifndef RESPONSES_RESPONSES_WRITER_H
#define RESPONSES_RESPONSES_WRITER_H

/*
 * Writes items of the Responses API: a message, a call, a result and reasoning each are one. Of
 * reasoning, the provider's encrypted content is written; the rest is dropped and counted.
 */

#include "dialects/dialect.h"

enum { RESPONSES_NAME_MAX = 64, RESPONSES_ID_MAX = 64 };

struct dialect_stage *responses_writer(void);

#endif
