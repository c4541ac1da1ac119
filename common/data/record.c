#include "data/record.h"

const struct message *
record_message(struct record *record, struct message *storage)
{
	if (record->message == NULL) {
		message_parse(storage, record->line.text);
		record->message = storage;
	}
	return record->message;
}

void
record_settle(struct record *record, struct buf *buf)
{
	struct line *line = &record->line;
	size_t before = (size_t)(line->text.ptr - line->raw.ptr);
	size_t behind = before + line->text.len;
	size_t after = line->raw.len - behind;

	if (record->edit == NULL)
		return;
	buf_reset(buf);
	buf_add(buf, line->raw.ptr, before);
	json_edit_write(record->edit, buf);
	line->text.len = buf->len - before;
	buf_add(buf, line->raw.ptr + behind, after);
	buf_pad(buf);
	line->raw = buf_str(buf);
	line->text.ptr = buf->ptr + before;
	record->edit = NULL;
	record->block = NULL;
	record->message = NULL;
}

void
record_make(struct record *record, const struct line *at, struct str text)
{
	size_t end = text.len > 0 && text.ptr[text.len - 1] == '\n';

	*record = (struct record){.line = {.raw = text, .text = str_of(text.ptr, text.len - end),
	    .file = at->file, .number = at->number}, .kind = RECORD_MESSAGE, .state = RECORD_ADDED};
}
