#ifndef CTX_ROUTE_CONTEXT_H
#define CTX_ROUTE_CONTEXT_H

/*
 * The options that change the context record: they set members, or remove them.
 *
 *     --system-prompt FILE      "system_prompt"      a string
 *     --tools FILE              "tools"              an array of objects
 *     --response-format FILE    "response_format"    an object
 *     --context KEY=VALUE       "metadata"           its member KEY
 *
 * An empty FILE and an empty VALUE remove the member. All other members stay.
 */

#include "assigned_value.h"
#include "data/message/message.h"
#include "face/options/options.h"

enum context_member { CONTEXT_PROMPT, CONTEXT_TOOLS, CONTEXT_FORMAT, CONTEXT_MEMBERS };

struct context {
	bool is_given;                      /* any option of the context was given */
	bool is_member[CONTEXT_MEMBERS];    /* its file was given */
	struct buf member[CONTEXT_MEMBERS]; /* JSON without white space; empty: it is removed */
	struct assigned_value *pair;        /* of --context, one for each key */
	unsigned count;
};

/* Reads the files, any of which may be NULL, and the pairs. Ends the program with status 64 when a
 * pair is malformed, with 66 when a file cannot be read, and with 78 when a file's content is not
 * valid. */
void context_init(struct context *context, const char *const file[CONTEXT_MEMBERS],
    const struct option_list *pair);

/* Appends the text of message, a context record, changed by the options, to buf. Appends nothing,
 * and returns false, when the options change nothing. */
bool context_change(
    const struct context *context, const struct message *message, struct str text, struct buf *buf);

void context_free(struct context *context);

#endif
