#ifndef ANTHROPIC_ANTHROPIC_RULES_H
#define ANTHROPIC_ANTHROPIC_RULES_H

/*
 * What the Messages API of Anthropic takes in one message, block by block. The writer leaves a
 * block as it is when nothing of it is refused, and the check names what is.
 */

#include "data/message/message.h"
#include "dialects/check/refusals.h"

enum { ANTHROPIC_NAME_MAX = 128 };

/* Adds what the API refuses of the message, which is in the API's own spelling. */
void anthropic_rules_judge(const struct message *message, struct refusals *refusals);

/* What the API refuses of the block in a message of that role, or, with ROLE_TOOL, in a result. */
uint64_t anthropic_rules_refuse_block(struct json_value block, enum role role);

/* Appends the block without the members that the API does not know. */
void anthropic_rules_write_block(struct json_value block, struct buf *buf);

#endif
