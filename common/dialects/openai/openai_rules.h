#ifndef OPENAI_OPENAI_RULES_H
#define OPENAI_OPENAI_RULES_H

/*
 * The rules of the chat API of OpenAI for one message, member by member. The writer leaves a
 * message as it is if the API refuses nothing of it; the check names each refusal.
 */

#include "data/message/message.h"
#include "dialects/check/refusals.h"

enum { OPENAI_ID_MAX = 40, OPENAI_NAME_MAX = 64 };

/* Adds all that the API refuses of the message to refusals. */
void openai_rules_judge(const struct message *message, struct refusals *refusals);

/* Whether the API takes the part in a message of that role as it is. */
bool openai_rules_takes_part(struct json_value part, enum role role);

/* Whether the API takes the id of a call as it is. */
bool openai_rules_takes_id(struct json_value id);

/* Whether the API takes the name of a speaker as it is. */
bool openai_rules_takes_name(struct json_value name);

#endif
