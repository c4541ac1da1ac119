#ifndef REQUEST_REQUEST_READER_H
#define REQUEST_REQUEST_READER_H

/*
 * The members of a request beside its messages, as a context record. Members for which a context
 * record has no member go into its metadata.request.
 */

#include "json/members.h"

/* Makes the text of the context record that holds all of the request but its system prompt and its
 * messages, which are in the member of that name. Returns false when nothing else is left. */
bool request_reader_context(struct json_value request, struct str messages, struct buf *text);

#endif
