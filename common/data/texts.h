#ifndef DATA_TEXTS_H
#define DATA_TEXTS_H

/*
 * The texts of a message that a model reads, one after another: what a token count is made of.
 * JSON syntax around them, ids, metadata, signatures and inline media are not among them; media
 * are named by kind, so that a rule can price them.
 */

#include "data/message.h"

enum text_kind {
	TEXT_CONTENT,   /* a string */
	TEXT_THINKING,  /* a string */
	TEXT_NAME,      /* a string: the name of a called tool */
	TEXT_ARGUMENTS, /* a string, or any JSON value that is given to the model as it is */
	TEXT_IMAGE,     /* a part without text; value is the part */
	TEXT_AUDIO,
	TEXT_FILE,
};

/* Whether the type of a part is one that carries media; then kind is what it is. */
bool text_is_media(struct json_value type, enum text_kind *kind);

typedef void text_found(void *context, enum text_kind kind, struct json_value value);

/* Calls found for each text of the message, in order. */
void message_texts(const struct message *message, text_found *found, void *context);

#endif
