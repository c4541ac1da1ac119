#ifndef CTX_ROUTE_OPENING_H
#define CTX_ROUTE_OPENING_H

/*
 * The stage in front of the others: the context record that the options give. A stream that begins
 * with a context record, and each later one in it, gets what they say. Any other stream gets a
 * context record in front of all; where it continues a log, that is the one in force there with
 * what the options change of it, or none when they change nothing.
 */

#include "context.h"
#include "data/stage.h"
#include "json/edit.h"

struct opening {
	struct stage stage;
	const struct context *context;
	bool has_begun;  /* the first record was seen, or the context was emitted */
	struct buf base; /* the context record of the log in force, or one without members */
	struct buf text;
	struct json_edit edit;
};

/* context is what the options give, and lives as long. */
void opening_init(struct opening *opening, const struct context *context);

/* Takes a record of the log that the stream continues. */
void opening_recall(struct opening *opening, struct record *record);

/* The log begins anew: forgets what it said. */
void opening_restart(struct opening *opening);

void opening_free(struct opening *opening);

#endif
