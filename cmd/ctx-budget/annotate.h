#ifndef ANNOTATE_H
#define ANNOTATE_H

#include "data/message.h"

/* Puts text, that of message, into out with its count as metadata.tokens; false when it says so
 * already. */
bool annotate(const struct message *message, struct str text, uint64_t tokens, struct buf *out);

#endif
