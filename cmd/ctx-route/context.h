#ifndef CTX_ROUTE_CONTEXT_H
#define CTX_ROUTE_CONTEXT_H

/*
 * The context record that the options ask for. A stream without a context record gets it in front;
 * the context record that a stream has gets its members, and keeps its others.
 */

#include "base/buf.h"
#include "data/message.h"
#include "face/options.h"

struct context {
	bool is_given;                  /* any option of the context was given */
	struct buf system_prompt;       /* a JSON string, or nothing */
	struct buf response_format;     /* an object without white space, or nothing */
	const struct option_list *pair; /* KEY=VALUE */
};

/* Reads the files; either name may be NULL. Dies with status 64 when a pair has no key, with 66
 * when a file cannot be read, and with 78 when a file's content is not valid. */
void context_init(struct context *context, const char *system_prompt, const char *response_format,
    const struct option_list *pair);

/* Appends a whole new context record to buf. */
void context_write(struct context *context, struct buf *buf);

/* Appends a changed context record to buf: text, the text of message, with the members that it
 * lacks. Appends nothing when it lacks none. Returns whether it appended. */
bool context_merge(
    struct context *context, const struct message *message, struct str text, struct buf *buf);

void context_free(struct context *context);

#endif
