#ifndef SHAREGPT_SHAREGPT_WRITER_H
#define SHAREGPT_SHAREGPT_WRITER_H

/*
 * The writer of conversations of ShareGPT. It writes one conversation of all its messages, on one
 * line, at the end. Members of the last context record other than its tools are put beside the
 * turns unchanged.
 */

#include "dialects/dialect.h"

struct dialect_stage *sharegpt_writer(void);

#endif
