#include "plain_text.h"

void
plain_text_add(struct plain_text *text, struct run *run)
{
	struct input *in = &run->source.in;
	struct line line;

	if (text->message.len == 0)
		buf_add_str(&text->message, STR("{\"role\":\"user\",\"content\":\""));
	while (input_next(in, &line) && text->len <= in->line_max) {
		const char *start = line.text.ptr, *end = line.raw.ptr + line.raw.len;

		/* With the line's end, and without a byte order mark. */
		text->len += line.raw.len;
		if (text->len <= in->line_max)
			json_write_escaped(&text->message, str_of(start, (size_t)(end - start)));
	}
	if (text->len > in->line_max)
		fault_set(&run->fault, STATUS_DATA, "text longer than --max-line");
}

void
plain_text_end(struct plain_text *text, struct run *run)
{
	struct line nowhere = {.file = "-", .number = 1};
	struct record record;

	if (text->len > 0 && !fault_is_set(&run->fault)) {
		buf_add_str(&text->message, STR("\"}"));
		buf_pad(&text->message);
		record_make(&record, &nowhere, buf_str(&text->message));
		run->source.counts.records++;
		run->source.counts.messages++;
		run->first->take(run->first, &record);
	}
	buf_free(&text->message);
	*text = (struct plain_text)PLAIN_TEXT_INIT;
}
