#ifndef ROWS_ROW_MESSAGE_H
#define ROWS_ROW_MESSAGE_H

/*
 * The messages that rows make: what opens one, what joins the one that is open, and what closes it.
 *
 *     ROW_MESSAGE          a message of its own; what stands in its content joins it
 *     ROW_CALL, ROW_TEXT…  beside one: joins the assistant's message that is open, or opens one
 *     ROW_RESULT           a message of its own, also inside the content of another
 */

#include "dialects/rows/row_place.h"

/* Closes the message that is open, if there is one. */
void row_message_close(struct row_reader *reader);

/* Closes it, and begins the record of the history that the place makes, unless the place is inside
 * the content of a message. */
void row_message_record(struct row_reader *reader, struct row_place *place);

/* Makes what the place says by its row. They return false when the value is not understood. */
bool row_message_make(struct row_reader *reader, struct row_place *place);
bool row_message_call(struct row_reader *reader, struct row_place *place);
bool row_message_result(struct row_reader *reader, struct row_place *place);
bool row_message_thinking(struct row_reader *reader, struct row_place *place);
bool row_message_part(struct row_reader *reader, struct row_place *place);

/* Of a text in pieces: the next text goes on with this one. */
bool row_message_go_on(struct row_reader *reader, struct row_place *place);

/* Closes the message in whose content a call came, and opens another one for the rest of it. The
 * usage stays with the first. */
void row_message_break(struct row_reader *reader);

/* Names the element of a list with that number, which no row is of, and passes it in its place as
 * if it were a line. */
void row_message_pass(
    struct row_reader *reader, const struct line *line, struct json_value element, size_t number);

#endif
