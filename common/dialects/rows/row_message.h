#ifndef ROWS_ROW_MESSAGE_H
#define ROWS_ROW_MESSAGE_H

/*
 * The messages that rows make: each row opens a message, or adds to the open one, and some close
 * it.
 *
 *     ROW_MESSAGE          a message of its own; the values in its content are added to it
 *     ROW_CALL, ROW_TEXT…  outside one: is added to the assistant's open message, or opens one
 *     ROW_RESULT           a message of its own, also inside the content of another
 */

#include "dialects/rows/row_place.h"

/* Closes the message that is open, if there is one. */
void row_message_close(struct row_reader *reader);

/* Closes the open message, and begins the record of the history for the place; does nothing if the
 * place is inside the content of a message. */
void row_message_record(struct row_reader *reader, struct row_place *place);

/* Make the message, or the part of one, that the row of the place says. Return false when the value
 * is not understood. */
bool row_message_make(struct row_reader *reader, struct row_place *place);
bool row_message_call(struct row_reader *reader, struct row_place *place);
bool row_message_result(struct row_reader *reader, struct row_place *place);
bool row_message_thinking(struct row_reader *reader, struct row_place *place);
bool row_message_part(struct row_reader *reader, struct row_place *place);

/* Notes, of a text in pieces, that the next text continues this one. */
bool row_message_go_on(struct row_reader *reader, struct row_place *place);

/* Closes the message if a call came in its content, and opens another message for the rest of that
 * content. The usage stays with the first message. */
void row_message_break(struct row_reader *reader);

/* Reports the element with that number of a list, which no row reads, and passes it in its place as
 * if it were a line. */
void row_message_pass(
    struct row_reader *reader, const struct line *line, struct json_value element, size_t number);

#endif
