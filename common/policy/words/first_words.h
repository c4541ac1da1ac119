#ifndef WORDS_FIRST_WORDS_H
#define WORDS_FIRST_WORDS_H

/* The first words of a message that say something, as one line. */

#include "data/message/message.h"

/* Appends the lines of the text that have a letter or a digit, without blanks around them, with the
 * joint between them; no more than are needed for so many bytes. */
void first_words_add_lines(struct str text, struct str joint, size_t most, struct buf *line);

/* The same of a message: the user's own words without those of their client; the output of a tool
 * without what a client puts around it, for a failed tool the lines that name an error; for
 * thinking, "thinking" and then the message's text, or else the thoughts. */
void first_words_add(const struct message *message, struct str joint, size_t most, bool has_failed,
    struct buf *line);

/* Appends one word for the message: its role, "error" if it has failed, or the kind of an
 * artifact. */
void first_words_add_role(const struct message *message, bool has_failed, struct buf *buf);

#endif
