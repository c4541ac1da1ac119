#ifndef CTX_ROUTE_OPENED_CONTEXT_H
#define CTX_ROUTE_OPENED_CONTEXT_H

/*
 * The first stage: it applies the options for the context record (context.h). In a stream that
 * begins with a context record, that record and each later one is changed by the options. Any other
 * stream gets a context record at its start. If the stream continues a log, that record is the one
 * in force there, changed by the options; nothing is added if they change nothing.
 */

#include "context.h"
#include "data/stage.h"
#include "json/edit.h"

struct opened_context {
	struct stage stage;
	const struct context *context;
	bool has_begun;  /* the first record was seen, or the context was emitted */
	struct buf base; /* the context record of the log in force, or one without members */
	struct buf text;
	struct json_edit edit;
};

/* context, from the options, must live as long. */
void opened_context_init(struct opened_context *opening, const struct context *context);

/* Takes a record of the log that the stream continues. */
void opened_context_recall(struct opened_context *opening, struct record *record);

/* Forgets the log, which begins anew. */
void opened_context_restart(struct opened_context *opening);

void opened_context_free(struct opened_context *opening);

#endif
