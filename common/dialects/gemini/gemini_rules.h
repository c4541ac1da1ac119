#ifndef GEMINI_GEMINI_RULES_H
#define GEMINI_GEMINI_RULES_H

/*
 * The rules of the Gemini API for a content, and for the order of contents: the user begins, roles
 * alternate, and the content after one with calls has all results of these calls, and no others.
 *
 * https://ai.google.dev/api/caching#Content
 */

#include "data/message/message.h"
#include "dialects/check/refusals.h"
#include "dialects/check/talk.h"

/* Adds the faults for which the API refuses the content. */
void gemini_rules_judge(const struct message *message, struct refusals *refusals);

/* Judges the place of the content, and of the calls and results in it. */
void gemini_rules_follow(
    struct talk *talk, struct inspection *inspection, struct json_value content);

#endif
