#ifndef MESSAGE_CONTENT_H
#define MESSAGE_CONTENT_H

/*
 * Whether a message says something, and where content is known to stand.
 */

#include "data/message/message.h"

/* Whether the content has no text, image or other part, and there is no refusal beside it. Thinking
 * does not count as content. */
bool message_is_blank(const struct message *message);

/* Whether content is known to stand in the member of that name, be it of a message or of its
 * metadata. */
bool message_name_holds_content(struct json_value name);

/* Whether it says something, but in no member that content is known to stand in, be it here or in
 * its metadata: another format's spelling. A role alone says nothing. */
bool message_is_unknown(const struct message *message);

#endif
