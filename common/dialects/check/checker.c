#include "dialects/check/checker.h"

#include "dialects/request/request.h"
#include "json/string.h"

/* Any text of the record, also the name of a member, may have half a character. */
static void
find_lone_surrogate(struct inspection *inspection, struct str text)
{
	struct str half = json_lone_surrogate(text);

	if (half.len > 0)
		inspection_find_at(inspection, VIOLATION_LONE_SURROGATE, &inspection->line, half);
}

static void
take(struct stage *stage, struct record *record)
{
	struct checker *checker = (struct checker *)stage;
	const struct dialect *dialect = checker->inspection.dialect;
	struct message read;
	struct json_value value;

	if (record->kind == RECORD_BAD || record->kind == RECORD_BLANK)
		return;
	checker->inspection.line =
	    (struct line){.file = record->line.file, .number = record->line.number};
	find_lone_surrogate(&checker->inspection, record->line.text);
	value = record_message(record, &read)->value;
	if (record->kind == RECORD_MESSAGE)
		talk_add(&checker->lines, &checker->inspection, record->message);
	else if (value.type == JSON_ARRAY)
		talk_judge_list(&checker->inspection, value, false);
	else if (json_find(value, dialect->request->messages).type == JSON_ARRAY)
		request_body_judge(&checker->body, &checker->inspection, value);
	else if (dialect->follow != NULL && value.type == JSON_OBJECT)
		talk_add(&checker->lines, &checker->inspection, record->message);
	else
		inspection_find(
		    &checker->inspection, VIOLATION_NO_MESSAGE, json_find(value, STR("type")));
}

static void
end(struct stage *stage)
{
	struct checker *checker = (struct checker *)stage;

	talk_end(&checker->lines, &checker->inspection);
}

void
checker_init(struct checker *checker, const struct dialect *dialect, enum systems_place place)
{
	*checker = (struct checker){.stage = {.take = take, .end = end},
	    .inspection = {.dialect = dialect, .place = place}};
}

void
checker_free(struct checker *checker)
{
	talk_free(&checker->lines);
	buf_free(&checker->inspection.findings);
	request_body_free(&checker->body);
}
