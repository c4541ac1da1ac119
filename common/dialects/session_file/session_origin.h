#ifndef SESSION_FILE_SESSION_ORIGIN_H
#define SESSION_FILE_SESSION_ORIGIN_H

/*
 * Which model made the last message that says so, in the words of its agent: its metadata has the
 * model, and metadata.x_FORMAT the rest, under names that differ.
 */

#include "data/message/message.h"
#include "dialects/session_file/session_form.h"

struct session_origin {
	struct buf model, provider, api; /* JSON strings; empty: none yet */
};

/* Reads the message, and sets the values, which live until the next one is read. */
void session_origin_read(struct session_origin *origin, const struct session_form *form,
    const struct message *message, struct str *value);

void session_origin_free(struct session_origin *origin);

#endif
