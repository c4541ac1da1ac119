#ifndef OPENAI_OPENAI_ANSWER_H
#define OPENAI_OPENAI_ANSWER_H

/*
 * Answers of OpenAI's APIs, as they come over the wire. Each becomes the message of the assistant
 * that it holds, with id, model and usage in its metadata:
 *
 *     {"choices":[{"message":{"role":"assistant",…}}],"model":…,"usage":…}     chat completions
 *     {"output":[{"type":"message",…},{"type":"function_call",…}],…}           Responses
 */

#include "dialects/request/chat.h"

/* Whether the record is such an answer. */
bool openai_answer_is(struct json_value record);

/* Reads the record and emits its message. Returns false when the record is no such answer. Of
 * several choices the first is read, and the others are named. */
bool openai_answer_read(struct chat *chat, const struct line *line, struct json_value record);

#endif
