#ifndef GEMINI_GEMINI_RULES_H
#define GEMINI_GEMINI_RULES_H

/*
 * What the Gemini API takes: content by content, and their order. The user begins, roles alternate,
 * and all results of a content's calls, and no others, stand in the next content.
 *
 * https://ai.google.dev/api/caching#Content
 */

#include "data/message/message.h"
#include "dialects/check/refusals.h"
#include "dialects/check/talk.h"

/* Adds what the API refuses of the content. */
void gemini_rules_judge(const struct message *message, struct refusals *refusals);

/* Judges the place of the content, and of the calls and results in it. */
void gemini_rules_follow(
    struct talk *talk, struct inspection *inspection, struct json_value content);

#endif
