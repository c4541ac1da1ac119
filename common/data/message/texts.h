#ifndef MESSAGE_TEXTS_H
#define MESSAGE_TEXTS_H

/*
 * The texts of a message that a model reads, one after another; tokens are counted from them. JSON
 * syntax, ids, metadata, signatures and the bytes of media are no texts. For a part of media, the
 * caller gets the kind and the whole part, and estimates its tokens.
 */

#include "data/message/message.h"
#include "data/message/part.h"
#include "json/edit.h"

typedef void text_found(void *context, enum text_kind kind, struct json_value value);

/* The text that replaces a part of media, such as "[image]"; "" for every other kind. */
struct str text_stand_in(enum text_kind kind);

/* Calls found for each text of the message, in order. */
void message_texts(const struct message *message, text_found *found, void *context);

/* The same for a context record: its system prompt, tools and response format. */
void message_context_texts(const struct message *context, text_found *found, void *user);

/* The second text of a result, a string: instructor writes the text of a result twice. Absent when
 * both texts are equal, so that they count once. */
struct json_value message_other_text(const struct message *message);

/* Notes in edit that json becomes the content; in both places when a result has its text twice.
 * Returns false when the message has neither place. json must live as long as edit. */
bool message_set_content(struct json_edit *edit, const struct message *message, struct str json);

/* Appends the decoded text of the content: the string; or the shown texts of its parts, joined by
 * LF; or the JSON of any other value. The second text of a result follows (message_other_text). */
void message_read_text(const struct message *message, struct buf *buf);

/* Sets buf to the same text. When the text is a result in which the client wrapped the output of
 * the tool, sets buf to the output alone (data/message/tool_output.h). */
void message_read_output(const struct message *message, struct buf *buf);

/* Writes a system message into text. content is the value of its member "content". */
void message_write_system(struct buf *text, struct json_value content);

/* The number of bytes that message_read_text would append to an empty buf. */
size_t message_text_len(const struct message *message);

#endif
