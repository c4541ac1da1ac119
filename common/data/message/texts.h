#ifndef MESSAGE_TEXTS_H
#define MESSAGE_TEXTS_H

/*
 * The texts of a message that a model reads, one after another; tokens are counted from them. JSON
 * syntax, ids, metadata, signatures and the bytes of media are no texts. A part of media is given
 * by its kind, so that the caller can put a price on it.
 */

#include "data/message/message.h"
#include "data/message/part.h"
#include "json/edit.h"

typedef void text_found(void *context, enum text_kind kind, struct json_value value);

/* What stands for a part of media in text: "[image]"; "" for every other kind. */
struct str text_stand_in(enum text_kind kind);

/* Calls found for each text of the message, in order. */
void message_texts(const struct message *message, text_found *found, void *context);

/* The same for a context record: its system prompt, tools and response format. */
void message_context_texts(const struct message *context, text_found *found, void *user);

/* The text that the result says beside its content, a string: instructor says the text of a result
 * twice. Absent when both texts are the same, which then count once. */
struct json_value message_other_text(const struct message *message);

/* Notes in edit that json becomes the content, in both places when a result says its text twice.
 * Returns false when the message has neither. json must live as long as edit. */
bool message_set_content(struct json_edit *edit, const struct message *message, struct str json);

/* Appends the decoded text of the content: the string, the texts of its parts that are shown,
 * joined by LF, or the JSON of any other value. The text that stands beside the content follows. */
void message_read_text(const struct message *message, struct buf *buf);

/* Sets buf to what the message says: to the same text, or, where that is a result with something of
 * a client around the output of its tool, to that output. */
void message_read_output(const struct message *message, struct buf *buf);

/* Writes a system message with that content, a JSON value, into text. */
void message_write_system(struct buf *text, struct json_value content);

/* The number of bytes that message_read_text would append to an empty buf. */
size_t message_text_len(const struct message *message);

#endif
