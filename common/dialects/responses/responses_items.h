#ifndef RESPONSES_RESPONSES_ITEMS_H
#define RESPONSES_RESPONSES_ITEMS_H

/*
 * Items of the Responses API as rows, which Codex CLI has in its session files, too. Items of tools
 * that the provider runs, and what only the provider can read, stay parts as they are.
 */

#include "dialects/rows/row_reader.h"

extern const struct row responses_items[];
extern const struct row responses_items_parts[]; /* of the content of a message or an output */

/* Whether the value, an object with a role, is an item in the spelling of this API alone. */
bool responses_items_is_message(struct json_value value);

/* Whether the value is an item that only the provider makes, as its type or what it encrypted says.
 */
bool responses_items_is_own(struct json_value value);

#endif
