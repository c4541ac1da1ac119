#ifndef INSTRUCTOR_INSTRUCTOR_OUTPUT_H
#define INSTRUCTOR_INSTRUCTOR_OUTPUT_H

/* What the reader of stores emits: records made of a line, and messages with their places. */

#include "dialects/dialect.h"
#include "dialects/instructor/instructor_message.h"

struct instructor_output {
	struct stage *stage; /* that emits */
	struct dialect_reading *reading;
	struct buf text;
};

/* Emits the message, which the line has at the place. */
void instructor_output_put_message(struct instructor_output *output, const struct line *line,
    struct json_value value, const struct instructor_message_place *place);

#endif
