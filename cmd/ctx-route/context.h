#ifndef CTX_ROUTE_CONTEXT_H
#define CTX_ROUTE_CONTEXT_H

/*
 * The context record as the options ask for it: what it holds is written in front of a stream that
 * has none, or put into the record that it has, whose other members stay.
 */

#include "base/buf.h"
#include "data/message.h"
#include "face/options.h"

struct context {
	bool is_given;                  /* any of the options was */
	struct buf system_prompt;       /* a JSON string, or nothing */
	struct buf response_format;     /* an object without white space, or nothing */
	const struct option_list *pair; /* KEY=VALUE */
};

/* Reads the files; either name may be NULL. Dies with status 64 when a pair has no key, with 66
 * when a file cannot be read, with 78 when it does not hold what it should. */
void context_init(struct context *context, const char *system_prompt, const char *response_format,
    const struct option_list *pair);

/* Appends a record of its own to buf. */
void context_write(struct context *context, struct buf *buf);

/* Appends text, which is that of message, a context record, with what it lacks to buf, and nothing
 * when it lacks nothing; returns whether it did. */
bool context_merge(
    struct context *context, const struct message *message, struct str text, struct buf *buf);

void context_free(struct context *context);

#endif
