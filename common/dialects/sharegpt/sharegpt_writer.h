#ifndef SHAREGPT_SHAREGPT_WRITER_H
#define SHAREGPT_SHAREGPT_WRITER_H

/*
 * The writer of conversations of ShareGPT: one for all messages that it gets, on one line, when
 * they end. What the last context record says beside its tools is put beside the turns as it is.
 */

#include "dialects/dialect.h"

struct dialect_stage *sharegpt_writer(void);

#endif
