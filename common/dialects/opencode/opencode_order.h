#ifndef OPENCODE_OPENCODE_ORDER_H
#define OPENCODE_OPENCODE_ORDER_H

/*
 * The order of an opencode session's messages: by time.created, and of one time by their ids, as
 * its database sorts them, whatever the order of the file.
 */

#include "json/write.h"

/* Puts the list of messages in their order. Returns false, and puts nothing, when
 * they stand in it already, or when one of them does not say its time and its id. */
bool opencode_order_write(struct json_value messages, struct json_writer *w);

#endif
