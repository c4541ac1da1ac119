#ifndef OPENAI_OPENAI_PART_H
#define OPENAI_OPENAI_PART_H

/*
 * The parts of a content, as the chat API of OpenAI takes them in a message of a given role.
 */

#include "data/message/message.h"
#include "dialects/tally.h"

/* Appends the array of the parts of a content: each as it is, or as a medium of the user. A part
 * that the API does not know becomes its text, or a text that names its type. Thinking is dropped.
 * dropped counts what is lost. Returns false, and appends nothing, when no part is left. */
bool openai_part_write_all(
    struct json_value content, enum role role, struct buf *buf, struct tally *dropped);

#endif
