#ifndef MESSAGE_CONTENT_H
#define MESSAGE_CONTENT_H

/*
 * Whether a message has content, and which members can hold content.
 */

#include "data/message/message.h"

/* Whether the content has no text, image or other part, and there is no refusal. Thinking does not
 * count as content. */
bool message_is_blank(const struct message *message);

/* Whether the member with that name, of a message or of its metadata, is known to hold content. */
bool message_name_holds_content(struct json_value name);

/* Whether the message has members with values, but none that is known to hold content, also not in
 * its metadata: it is spelled as in another format. A message with nothing but a role is not. */
bool message_is_unknown(const struct message *message);

#endif
