#ifndef REQUEST_PROMPT_H
#define REQUEST_PROMPT_H

/*
 * A stage for outputs without context records. One prompt is in force, that of the last context
 * record: it becomes a system message in the place of the first context record, unless the first
 * message is a system message with the same text. From that place on all records are held, since
 * any later context record replaces the one before.
 */

#include "data/queue.h"

struct prompt {
	struct stage stage;
	bool has_begun;        /* a message came */
	struct buf first_text; /* its text, if it is a system message */
	bool has_context;
	struct buf context; /* the last context record, JSON; with has_context */
	struct line line;   /* file and line number of that record */
	struct queue held;
	struct buf text; /* the system message */
};

void prompt_init(struct prompt *prompt);
void prompt_free(struct prompt *prompt);

#endif
