#ifndef PARTS_NAME_H
#define PARTS_NAME_H

/*
 * Names of tools as both APIs take them: ASCII letters, digits, _ and -. Logs of other agents have
 * names with dots, slashes and colons, and their tools are sent under mended names.
 */

#include "base/buf.h"
#include "json/value.h"
#include "json/write.h"

bool name_is_plain_char(char c);

/* Whether the API takes the value as a name of at most max bytes. */
bool name_is_plain(struct json_value value, size_t max);

/* Appends the name as a JSON string: what the API does not take becomes _, and what is longer than
 * max is cut. A value that is no string, or an empty one, becomes "tool". */
void name_write(struct json_value value, size_t max, struct buf *to);
/* Puts the member "name", written so. */
void name_put(struct json_writer *w, struct json_value value, size_t max);

#endif
