#ifndef PARTS_NAME_H
#define PARTS_NAME_H

/*
 * Names of tools as the APIs of OpenAI and Anthropic take them: ASCII letters, digits, _ and -.
 * Other names, with dots, slashes or colons, are mended.
 */

#include "base/buf.h"
#include "json/value.h"
#include "json/write.h"

bool name_is_plain_char(char c);

/* Whether the API takes the value as a name of at most max bytes. */
bool name_is_plain(struct json_value value, size_t max);

/* Appends the name as a JSON string: a character that the APIs do not take becomes _, and a name
 * longer than max bytes is cut. A value that is no string, or an empty string, becomes "tool". */
void name_write(struct json_value value, size_t max, struct buf *to);
/* Puts the member "name", written by name_write. */
void name_put(struct json_writer *w, struct json_value value, size_t max);

#endif
