#include "dialects/instructor/instructor_output.h"

void
instructor_output_put_message(struct instructor_output *output, const struct line *line,
    struct json_value value, const struct instructor_message_place *place)
{
	struct message message;
	struct json_edit edit;

	message_parse(&message, json_span(value));
	json_edit_init(&edit, json_span(value));
	if (message.kind == RECORD_MESSAGE && !instructor_message_read(&edit, &message, place))
		tally_add(output->reading->skipped, STR("label"));
	buf_reset(&output->text);
	json_edit_end(&edit, &output->text);
	dialect_emit_of(output->stage, line, &output->text, NULL,
	    message.has_metadata ? 0 : RECORD_READ_OWN, NULL);
}
