#ifndef TOKENS_USER_COUNTER_H
#define TOKENS_USER_COUNTER_H

/*
 * Counting by a user's command. The command reads texts, each as a JSON string on its own line, and
 * writes one line with an integer for each text. Starting the command may be slow, so texts are
 * collected in a batch.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/fault.h"

struct user_counter_batch {
	struct buf lines;
	size_t count; /* texts */
};

#define COMMAND_BATCH_INIT \
	{ \
		BUF_INIT, 0 \
	}

/* Adds a decoded text. The batch keeps a copy. */
void user_counter_add(struct user_counter_batch *batch, struct str text);

/* Runs the command with the batch as input, writes batch->count numbers to counts, and empties the
 * batch. Returns false with the fault set, with status 69, when the command fails, when it reads
 * and writes nothing for timeout seconds (0: no limit), and when its output is not one integer for
 * each text; see process_run. */
bool user_counter_run(struct user_counter_batch *batch, const char *command, uint64_t timeout,
    uint64_t *counts, struct fault *fault);

void user_counter_free(struct user_counter_batch *batch);

#endif
