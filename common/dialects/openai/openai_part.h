#ifndef OPENAI_OPENAI_PART_H
#define OPENAI_OPENAI_PART_H

/*
 * The parts of a content as the chat API of OpenAI takes them in a message of a role.
 */

#include "data/message/message.h"
#include "dialects/tally.h"

/* Appends the array of the parts of a content: each as it is, or as a medium of the user. A part
 * that the API does not know becomes its text, or a text that names its type. Of thinking nothing
 * is left. What does not survive is counted in dropped. Returns false, and appends nothing, when no
 * part is left. */
bool openai_part_write_all(
    struct json_value content, enum role role, struct buf *buf, struct tally *dropped);

#endif
