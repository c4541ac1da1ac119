#ifndef CTX_BUDGET_PLAIN_TEXT_H
#define CTX_BUDGET_PLAIN_TEXT_H

/*
 * Plain text instead of records: what is read is one message of the user, all operands together or
 * each of its own.
 *
 *     while (input_fill(&run->source.in))
 *             plain_text_add(&text, run);
 *     plain_text_end(&text, run);
 */

#include "face/run.h"

/* A text that is read. */
struct plain_text {
	struct buf message; /* the record, without its end */
	size_t len;         /* bytes of the text */
};

#define PLAIN_TEXT_INIT \
	{ \
		BUF_INIT, 0 \
	}

/* Adds the bytes at hand to the text. Bytes that are not UTF-8 become U+FFFD. Sets the fault, with
 * status 65, when the text is longer than a line may be. */
void plain_text_add(struct plain_text *text, struct run *run);

/* Takes the text through the stages of the run as one message, unless the text has no byte, and
 * frees it. The next text begins. */
void plain_text_end(struct plain_text *text, struct run *run);

#endif
