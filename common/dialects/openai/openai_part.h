#ifndef OPENAI_OPENAI_PART_H
#define OPENAI_OPENAI_PART_H

/*
 * A part of a content as the chat API of OpenAI takes it in a message of a role.
 */

#include "data/message/message.h"
#include "dialects/tally.h"

/* Appends the part: as it is, or as a medium of the user. A part that the API does not know becomes
 * its text, or a text that names its type. For thinking nothing is appended. What does not survive
 * is counted in dropped. */
void openai_part_write(
    struct json_value part, enum role role, struct buf *buf, struct tally *dropped);

#endif
