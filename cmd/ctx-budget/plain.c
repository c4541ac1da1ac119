#include "plain.h"

/* The bytes of a line, with its end, without a byte order mark. */
static struct str
bytes_of(const struct line *line)
{
	return str_of(line->text.ptr, (size_t)(line->raw.ptr + line->raw.len - line->text.ptr));
}

/* Writes all lines into the message. Returns how many bytes they have. */
static size_t
read_all(struct run *run, struct buf *message)
{
	struct input *in = &run->source.in;
	size_t len = 0;

	while (input_fill(in)) {
		struct line line;

		while (input_next(in, &line) && len <= in->line_max) {
			len += line.raw.len;
			if (len <= in->line_max)
				json_write_escaped(message, bytes_of(&line));
		}
		if (len > in->line_max)
			fault_set(&run->fault, STATUS_DATA, "text longer than --max-line");
	}
	return len;
}

void
plain_take(struct run *run)
{
	struct buf message = BUF_INIT;
	struct line nowhere = {.file = "-", .number = 1};
	struct record record;

	buf_add_str(&message, STR("{\"role\":\"user\",\"content\":\""));
	if (read_all(run, &message) > 0 && !fault_is_set(&run->fault)) {
		buf_add_str(&message, STR("\"}"));
		buf_pad(&message);
		record_make(&record, &nowhere, buf_str(&message));
		run->source.counts.records++;
		run->source.counts.messages++;
		run->first->take(run->first, &record);
	}
	buf_free(&message);
}
