#ifndef DIALECTS_PROMPT_H
#define DIALECTS_PROMPT_H

/*
 * A stage for outputs that have no context records: the system prompt of one becomes a system
 * message in front of the next message. Until that comes, another context record may replace it. A
 * prompt that was written already is not written again.
 */

#include "data/stage.h"

struct prompt {
	struct stage stage;
	struct buf written; /* the last message that a context record became */
	struct buf text;    /* what the last context record would become, */
	struct line line;   /* where it stood, */
	bool waits;         /* and whether it waits for the message behind it */
};

void prompt_init(struct prompt *prompt);
void prompt_free(struct prompt *prompt);

#endif
