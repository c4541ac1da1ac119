#ifndef TERMINAL_SCREEN_TEXT_H
#define TERMINAL_SCREEN_TEXT_H

/* The content of a message on a screen: its texts, and a line for each image or file
 * (data/message/texts.h). */

#include "data/message/message.h"
#include "data/message/part.h"
#include "face/terminal/screen.h"

/* Adds the text of a JSON string; one that is an object or an array of JSON is laid out. */
void screen_text(struct screen *screen, struct json_value value, enum cells_paint paint);

/* Adds the arguments of a call, each on lines of its own. */
void screen_text_arguments(struct screen *screen, struct json_value value);

/* Adds the kind of an image or a file, its type and its size, or where it is. */
void screen_text_media(struct screen *screen, enum text_kind kind, struct json_value part);

/* Adds the members of the message that are no text of it, and those of its metadata. */
void screen_text_members(struct screen *screen, const struct message *message);

#endif
