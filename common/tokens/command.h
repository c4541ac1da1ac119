#ifndef TOKENS_COMMAND_H
#define TOKENS_COMMAND_H

/*
 * Counting by a user's command: it reads texts, a JSON string a line, and writes as many lines with
 * one integer each. Texts are gathered into a batch, since a start of the command may be slow.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/fault.h"

struct command_batch {
	struct buf lines;
	size_t count; /* texts */
};

#define COMMAND_BATCH_INIT {BUF_INIT, 0}

/* Adds a decoded text. */
void command_add(struct command_batch *batch, struct str text);

/* Runs the command over the batch and empties it; counts gets batch->count numbers. False, with a
 * fault of status 69, when the command fails, reads and writes nothing for timeout seconds (0: no
 * limit), or answers anything else; see process_run. */
bool command_run(struct command_batch *batch, const char *command, uint64_t timeout,
    uint64_t *counts, struct fault *fault);

void command_free(struct command_batch *batch);

#endif
