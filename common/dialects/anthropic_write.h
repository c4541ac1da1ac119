#ifndef DIALECTS_ANTHROPIC_WRITE_H
#define DIALECTS_ANTHROPIC_WRITE_H

/*
 * Canonical messages as Messages of the Anthropic API. Neighbours of one role become one message;
 * results lead the user message that follows their calls. System and developer messages keep their
 * place, under the role system, and part their neighbours: roles alternate between them.
 * The stream is expected to be whole: results directly behind their calls, no call without one.
 *
 * One message is held, the one that may still grow.
 */

#include "data/message.h"
#include "dialects/call_ids.h"

struct anthropic_writer {
	void (*put)(void *context, struct str text); /* the text lives until put returns */
	void *context;
	enum role role;      /* of the held message */
	enum role next_role; /* of the message that is being added */
	struct buf blocks;   /* its content, with commas between */
	unsigned block_count;
	bool is_string;      /* one block, of a content that was a string */
	bool started;        /* a message other than the system's was written */
	struct call_ids ids;
	struct buf text;
	struct buf scratch;
};

void anthropic_writer_init(struct anthropic_writer *writer,
    void (*put)(void *context, struct str text), void *context);

/* Takes the next message; false when its role has no place in the API. */
bool anthropic_write(struct anthropic_writer *writer, const struct message *message);

/* Puts what is held, and frees everything. */
void anthropic_writer_finish(struct anthropic_writer *writer);

#endif
