#ifndef CTX_ROUTE_OPENED_CONTEXT_H
#define CTX_ROUTE_OPENED_CONTEXT_H

/*
 * The stage in front of the others: the context record that the options give. A stream that begins
 * with a context record, and each later one in it, gets what they say. Any other stream gets a
 * context record in front of all; where it continues a log, that is the one in force there with
 * what the options change of it, or none when they change nothing.
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

/* context is what the options give, and lives as long. */
void opened_context_init(struct opened_context *opening, const struct context *context);

/* Takes a record of the log that the stream continues. */
void opened_context_recall(struct opened_context *opening, struct record *record);

/* The log begins anew: forgets what it said. */
void opened_context_restart(struct opened_context *opening);

void opened_context_free(struct opened_context *opening);

#endif
