#ifndef OPENAI_OPENAI_ANSWER_H
#define OPENAI_OPENAI_ANSWER_H

/*
 * Responses of OpenAI's APIs, as sent over the wire. Each becomes its message of the assistant,
 * with id, model and usage in the metadata:
 *
 *     {"choices":[{"message":{"role":"assistant",…}}],"model":…,"usage":…}     chat completions
 *     {"output":[{"type":"message",…},{"type":"function_call",…}],…}           Responses
 */

#include "dialects/request/chat.h"

/* Whether the record is such a response. */
bool openai_answer_is(struct json_value record);

/* Reads the record and emits its message. Returns false when the record is no such response. Of
 * several choices, the first is read, and the others are reported. */
bool openai_answer_read(struct chat *chat, const struct line *line, struct json_value record);

#endif
