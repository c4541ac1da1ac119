#ifndef DIALECTS_OPENAI_WRITE_H
#define DIALECTS_OPENAI_WRITE_H

/*
 * Canonical messages as chat messages of the OpenAI API: without metadata, thinking and what else
 * only we or another API know, and with what the API asks for: content, ids and arguments that are
 * strings, no empty list. A message that needs none of it is left as it is.
 */

#include "data/message.h"

enum openai_verdict {
	OPENAI_AS_IS,   /* the message's own text */
	OPENAI_CHANGED, /* what was written */
	OPENAI_NOTHING, /* nothing is left of it, or its role has no place in the API */
};

/* Looks at a message and writes what it becomes into buf (reset first). */
enum openai_verdict openai_write(const struct message *message, struct buf *buf);

#endif
