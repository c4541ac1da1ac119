#ifndef INSTRUCTOR_INSTRUCTOR_OUTPUT_H
#define INSTRUCTOR_INSTRUCTOR_OUTPUT_H

/* The output of the reader of stores: records made of a line, and messages with their places in the
 * store. */

#include "dialects/dialect.h"
#include "dialects/instructor/instructor_message.h"

struct instructor_output {
	struct stage *stage; /* the stage that emits */
	struct dialect_reading *reading;
	struct buf text;
};

/* Emits the message of the line that is at that place of the store. */
void instructor_output_put_message(struct instructor_output *output, const struct line *line,
    struct json_value value, const struct instructor_message_place *place);

#endif
