#ifndef SESSION_DECLINED_H
#define SESSION_DECLINED_H

/*
 * Finds results that say that the user refused the call, by the words of known clients. The words
 * of the user in such a result are an instruction:
 *
 *     The user doesn't want to proceed with this tool use. ... the user said:
 *     Leave the quay as it is.
 */

#include "data/message/message.h"

/* Whether the text of a result says that the user refused the call. Sets *words to the part of text
 * that the user wrote, or "". */
bool declined_find(struct str text, struct str *words);

/* The same for a message, without the words. */
bool declined_says(const struct message *message);

#endif
