#include "dialects/rows/row_session.h"

#include "dialects/rows/row_growth.h"
#include "dialects/rows/row_message.h"
#include "json/write.h"

void
row_session_close(struct row_reader *reader)
{
	struct row_place place = {.line = &reader->newest};
	struct buf none = BUF_INIT;

	if (reader->dialect->ends != NULL && reader->has_begun) {
		buf_set(&none, STR("{}"));
		place.value = json_written_whole(&none);
		reader->dialect->ends(reader, &place);
		buf_free(&none);
	}
	row_message_close(reader);
}

void
row_session_end(struct row_reader *reader)
{
	row_session_close(reader);
	if (reader->joiner.grows)
		row_growth_finish(reader, &reader->newest);
	if (!reader->reading->all)
		row_history_finish(
		    &reader->history, &reader->reading->left, &reader->reading->compacted);
	row_history_begin(&reader->history);
	reader->record = NULL;
	for (unsigned i = 0; i < ROW_VARIABLES; i++)
		buf_reset(&reader->variable[i]);
	buf_reset(&reader->session);
	buf_reset(&reader->parent);
	reader->has_begun = false;
	buf_reset(&reader->waiting);
	reader->oldest = reader->numbered = 0;
}

bool
row_session_begin(struct row_reader *reader, struct row_place *place)
{
	struct json_value id = row_place_find(place, &place->plan->id);
	struct str own = buf_str(&reader->session), parent = buf_str(&reader->parent);

	if (own.len > 0 && (str_eq(json_span(id), own) || str_eq(json_span(id), parent)))
		return false;
	if (reader->has_begun)
		row_session_end(reader);
	buf_reset(&reader->session);
	buf_reset(&reader->parent);
	if (id.type != JSON_ABSENT)
		buf_add_str(&reader->session, json_span(id));
	id = row_place_find(place, &place->plan->parent);
	if (id.type != JSON_ABSENT)
		buf_add_str(&reader->parent, json_span(id));
	return true;
}
