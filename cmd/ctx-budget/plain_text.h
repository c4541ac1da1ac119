#ifndef CTX_BUDGET_PLAIN_TEXT_H
#define CTX_BUDGET_PLAIN_TEXT_H

/*
 * Plain text instead of records: all operands together, or each by itself, are one message of the
 * user.
 *
 *     while (input_fill(&run->source.in))
 *             plain_text_add(&text, run);
 *     plain_text_end(&text, run);
 */

#include "face/run.h"

/* The text read so far. */
struct plain_text {
	struct buf message; /* the record, without its end */
	size_t len;         /* bytes of the text */
};

#define PLAIN_TEXT_INIT \
	{ \
		BUF_INIT, 0 \
	}

/* Adds the bytes at hand to the text. Bytes that are not UTF-8 become U+FFFD. Sets the fault, with
 * status 65, when the text is longer than the longest line allowed. */
void plain_text_add(struct plain_text *text, struct run *run);

/* Passes the text to the stages of the run as one message, unless it is empty, and frees it. The
 * next text may begin. */
void plain_text_end(struct plain_text *text, struct run *run);

#endif
