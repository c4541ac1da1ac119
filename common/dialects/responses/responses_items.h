#ifndef RESPONSES_RESPONSES_ITEMS_H
#define RESPONSES_RESPONSES_ITEMS_H

/*
 * Rows for items of the Responses API, which Codex CLI has in its session files, too. Items of
 * tools that the provider runs, and items that only the provider can read, become parts unchanged.
 */

#include "dialects/rows/row_reader.h"

extern const struct row responses_items[];
extern const struct row responses_items_parts[]; /* of the content of a message or an output */

/* Whether the value, an object with a role, is an item in the spelling of this API alone. */
bool responses_items_is_message(struct json_value value);

/* Whether the value is an item that only the provider makes, by its type or encrypted content. */
bool responses_items_is_own(struct json_value value);

#endif
