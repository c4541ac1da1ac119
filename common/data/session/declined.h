#ifndef SESSION_DECLINED_H
#define SESSION_DECLINED_H

/*
 * Results that say that the user refused the call, by the words of known clients. What the user
 * said then is an instruction:
 *
 *     The user doesn't want to proceed with this tool use. ... the user said:
 *     Leave the quay as it is.
 */

#include "data/message/message.h"

/* Whether the text of a result says so. words is what the user said, in the text, or "". */
bool declined_find(struct str text, struct str *words);

/* The same of the text of a message. */
bool declined_says(const struct message *message);

#endif
