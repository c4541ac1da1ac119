#ifndef RESPONSES_RESPONSES_RULES_H
#define RESPONSES_RESPONSES_RULES_H

/*
 * The rules of the Responses API for an item, and for calls and their results, which need not be
 * neighbours. Items that the provider makes are taken by their type alone.
 *
 * https://platform.openai.com/docs/api-reference/responses/create
 */

#include "data/message/message.h"
#include "dialects/check/refusals.h"
#include "dialects/check/talk.h"

/* Adds all that the API refuses of the item to refusals. */
void responses_rules_judge(const struct message *message, struct refusals *refusals);

/* Judges the place of the item. */
void responses_rules_follow(
    struct talk *talk, struct inspection *inspection, struct json_value item);

#endif
