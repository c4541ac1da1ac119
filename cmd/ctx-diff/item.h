#ifndef CTX_DIFF_ITEM_H
#define CTX_DIFF_ITEM_H

/*
 * The Responses API of OpenAI: a request whose input is a string or a list of items, and whose
 * system prompt is its instructions.
 *
 *     {"model":"…","instructions":"…","input":[{"role":"user","content":"…"},
 *      {"type":"function_call","call_id":"c1","name":"…","arguments":"…"},
 *      {"type":"function_call_output","call_id":"c1","output":"…"}]}
 */

#include "data/message/message.h"

/* Whether the value is such a request. */
bool item_is_request(struct json_value value);

/* Reads an item, or a message, as the message whose texts a model reads. role_value becomes the
 * role, or the type of an item that has none. An item of an unknown type is counted as the JSON
 * that it is. The message points into the item, behind which JSON_PADDING readable bytes follow. */
void item_read(struct json_value item, struct message *message);

#endif
