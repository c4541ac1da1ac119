#include "dialects/request/request_rows.h"

#include "dialects/request/request_reader.h"

bool
request_rows_context(struct row_reader *reader, struct row_place *place, struct str messages)
{
	struct record record;
	struct message message;

	if (!request_reader_context(place->value, messages, &reader->text))
		return true;
	buf_add_char(&reader->text, '\n');
	buf_pad(&reader->text);
	record_respell(&record, place->line, buf_str(&reader->text), &message);
	joiner_pass(&reader->joiner, NULL, NULL, &record);
	return true;
}
