#ifndef DIALECTS_PROMPT_H
#define DIALECTS_PROMPT_H

/*
 * A stage for outputs without context records. The system prompt of a context record becomes a
 * system message in front of the next message. Until that message comes, another context record may
 * replace the prompt. A prompt that was written already is not written again.
 */

#include "data/stage.h"

struct prompt {
	struct stage stage;
	struct buf written; /* the last message that a context record became */
	struct buf text;    /* the message that the last context record would become */
	struct line line;   /* the line of that context record */
	bool waits;         /* text waits for the next message */
};

void prompt_init(struct prompt *prompt);
void prompt_free(struct prompt *prompt);

#endif
