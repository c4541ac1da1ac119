#ifndef REQUEST_REQUEST_READER_H
#define REQUEST_REQUEST_READER_H

/*
 * What a request says beside its messages, as a context record. What a context record has no member
 * for stands in its metadata.request.
 */

#include "json/members.h"

/* Makes the text of the context record that holds all of the request but its system prompt and its
 * messages, which stand in the member of that name. Returns false when there is nothing to hold. */
bool request_reader_context(struct json_value request, struct str messages, struct buf *text);

#endif
