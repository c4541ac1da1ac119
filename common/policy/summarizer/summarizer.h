#ifndef POLICY_SUMMARIZER_SUMMARIZER_H
#define POLICY_SUMMARIZER_SUMMARIZER_H

/*
 * A user's command that writes summaries. It reads the messages to summarize (brief.h) and writes a
 * text, which is checked and made harmless. The request is in its environment:
 *
 *     CTX_SUMMARY_TOKENS     the most tokens of the text
 *     CTX_SUMMARY_KIND       initial, or update when there was a summary before
 *     CTX_SUMMARY_MESSAGES   how many messages are summarized
 *
 * No text of the session is in the environment or in the arguments. A run that takes too long, and
 * one that ends with status 75, may be tried again: after a second, then after two, four and so on.
 */

#include <stdint.h>

#include "base/fault.h"

struct summarizer {
	const char *command;
	uint64_t timeout; /* seconds that a run may take; 0: any time */
	uint64_t retries; /* the most runs after the first */
};

struct summarizer_task {
	struct str input;
	uint64_t tokens;
	uint64_t messages;
	bool is_update;
	bool has_lines; /* the answer is one line for each message */
};

/* Asks the command for the task, and sets the answer, without blanks at its ends (of lines: without
 * the last line feed) and in a harmless form (base/text/harmless.h). Sets *runs to the number of
 * runs. Returns false with the fault set when the last run failed (69, or 71 for want of memory and
 * the like), and when the answer is blank, no UTF-8, longer than 64 MB, or of another number of
 * lines than has to be, or one of its lines is blank (69). */
bool summarizer_ask(const struct summarizer *summarizer, const struct summarizer_task *task,
    struct buf *answer, unsigned *runs, struct fault *fault);

#endif
