#ifndef OPENAI_OPENAI_REQUEST_H
#define OPENAI_OPENAI_REQUEST_H

/* Request bodies of the chat API of OpenAI. */

#include "dialects/request/definition.h"
#include "dialects/request/request.h"

extern const struct request_api openai_request_api;

/* Puts the members for the schema of an answer's format, the same in both APIs of OpenAI, into the
 * open object. format must have a schema. A name has at most name_max bytes. */
void openai_request_put_schema(
    const struct definition_format *format, unsigned name_max, struct json_writer *w);

/* Puts the choice of a tool as an API of OpenAI spells it: a word, or an object that names a tool,
 * in a member of its own, or with is_flat in the object itself. A name has at most name_max bytes.
 * Returns true. */
bool openai_request_put_choice(
    const struct definition_choice *choice, unsigned name_max, bool is_flat, struct json_writer *w);

#endif
