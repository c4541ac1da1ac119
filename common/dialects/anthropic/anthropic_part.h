#ifndef ANTHROPIC_ANTHROPIC_PART_H
#define ANTHROPIC_ANTHROPIC_PART_H

/*
 * A part of a content, as the API of Anthropic takes it in a message of a given role. ROLE_TOOL
 * means the content of a result.
 */

#include "data/message/message.h"
#include "dialects/tally.h"

/* Appends the part: as it is, or without members that the API does not know. A part that the API
 * refuses becomes an image or a document of the API, its text, or a text that names its type. Blank
 * text and unsigned thinking are dropped. dropped counts what is lost. */
void anthropic_part_write(
    struct json_value part, enum role role, struct buf *buf, struct tally *dropped);

#endif
