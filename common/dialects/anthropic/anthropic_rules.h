#ifndef ANTHROPIC_ANTHROPIC_RULES_H
#define ANTHROPIC_ANTHROPIC_RULES_H

/*
 * The blocks that the Messages API of Anthropic takes in one message. The writer leaves a block as
 * it is if the API refuses nothing of it; the check names each refusal.
 */

#include "data/message/message.h"
#include "dialects/check/refusals.h"

enum { ANTHROPIC_NAME_MAX = 128 };

/* Adds all that the API refuses of the message, which is in the API's own spelling, to refusals. */
void anthropic_rules_judge(const struct message *message, struct refusals *refusals);

/* The violations of the block in a message of that role, or, with ROLE_TOOL, in a result, as bits
 * (refusals_bit). */
uint64_t anthropic_rules_refuse_block(struct json_value block, enum role role);

/* Appends the block without the members that the API does not know. */
void anthropic_rules_write_block(struct json_value block, struct buf *buf);

#endif
