#ifndef DIALECTS_DIALECT_READER_H
#define DIALECTS_DIALECT_READER_H

#include "dialects/dialect.h"

/* Makes the stage that reads the dialect: the dialect's own reader, the reader of its rows
 * (rows/row_reader.h), or the reader of chat messages (request/chat.h). */
struct dialect_stage *dialect_reader_open(
    const struct dialect *dialect, struct dialect_reading *reading);

#endif
