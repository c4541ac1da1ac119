/*
 * Lines of batches of an API, each of which holds a request or an answer in the spelling of that
 * API; this file reads them.
 *
 *     {"custom_id":…,"method":"POST","url":…,"body":{request}}                 OpenAI
 *     {"id":…,"custom_id":…,"response":{"status_code":200,"body":{answer}},"error":null}
 *     {"custom_id":…,"params":{request}}                                       Anthropic
 *     {"custom_id":…,"result":{"type":"succeeded","message":{answer}}}
 *     {"key":…,"request":{request}}                                            Gemini
 *     {"key":…,"response":{answer}}
 *
 * Each line is a session, whose name is the id that the caller gave it. What is inside is read as
 * if it stood alone, by the reader of the dialect that it tells.
 */

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"
#include "dialects/dialect_reader.h"
#include "dialects/line_session.h"
#include "dialects/rows/conditions.h"

/* The first row of a line counts. */
static const struct batch_row {
	const char *when; /* conditions: rows/conditions.h */
	const char *id;
	const char *content; /* a path; NULL: it is no conversation */
	const char *name;    /* under which it is counted then */
} rows[] = {
    {"custom_id:string error", "custom_id", NULL, "request that failed"},
    {"custom_id:string response.body.error", "custom_id", NULL, "request that failed"},
    {"custom_id:string response.body:object", "custom_id", "response.body"},
    {"custom_id:string url=/v1/embeddings|/v1/moderations body", "custom_id", NULL,
	"request without messages"},
    {"custom_id:string body:object", "custom_id", "body"},
    {"custom_id:string params:object", "custom_id", "params"},
    {"custom_id:string result.message:object", "custom_id", "result.message"},
    {"custom_id:string result.type", "custom_id", NULL, "request that failed"},
    {"key:string request.contents:array", "key", "request"},
    {"key:string response.candidates:array", "key", "response"},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

/* Their conditions, compiled once. */
static struct {
	bool is_compiled;
	struct member_tree tree;
	struct conditions when[ROWS];
} compiled = {.tree = MEMBER_TREE_INIT};

/* The row of the line, or NULL. */
static const struct batch_row *
find_row(struct json_value record)
{
	struct member_view view;

	for (size_t i = 0; !compiled.is_compiled && i < ROWS; i++)
		conditions_compile(&compiled.when[i], &compiled.tree, NULL, rows[i].when);
	assert(!compiled.tree.is_broken);
	compiled.is_compiled = true;
	if (record.type != JSON_OBJECT)
		return NULL;
	member_view_open(&view, &compiled.tree, NULL, record, record);
	for (size_t i = 0; i < ROWS; i++)
		if (conditions_hold(&compiled.when[i], &view))
			return &rows[i];
	return NULL;
}

static enum dialect_sign
sign(struct json_value record)
{
	return find_row(record) != NULL ? DIALECT_SIGN_CERTAIN : DIALECT_SIGN_NONE;
}

struct reader {
	struct dialect_stage base;
	struct dialect_reading *reading;
	struct line_session session; /* of the line that is being read */
	struct buf text;             /* what is inside of it */
};

/* The dialect of what is inside; NULL: it is none of an API. */
static const struct dialect *
find_inside(struct json_value inside)
{
	const struct dialect *dialect = dialect_detect(inside);

	return dialect != NULL && dialect->reader == NULL && !dialect->is_session ? dialect : NULL;
}

/* Reads what is inside as a record of its own. */
static void
read_inside(struct reader *reader, const struct record *record, const struct dialect *dialect,
    struct json_value inside)
{
	struct dialect_reading *reading = reader->reading;
	bool looks_ahead = reading->looks_ahead;
	struct dialect_stage *to;
	struct message message;
	struct record inner;

	/* A look at the file, one for each line, would take too long. */
	reading->looks_ahead = false;
	to = dialect_reader_open(dialect, reading);
	to->stage.next = &reader->session.stage;
	to->stage.fault = reader->base.stage.fault;
	buf_set(&reader->text, json_span(inside));
	buf_add_char(&reader->text, '\n');
	buf_pad(&reader->text);
	record_respell(&inner, &record->line, buf_str(&reader->text), &message);
	to->stage.take(&to->stage, &inner);
	to->stage.end(&to->stage);
	to->free(to);
	reading->looks_ahead = looks_ahead;
}

/* Reads the line. Returns false when there is no conversation in it. */
static bool
read_line(struct reader *reader, const struct record *record, const struct batch_row *row)
{
	struct json_value value = record->message->value, inside;
	const struct dialect *dialect;

	if (row->content == NULL) {
		tally_add(reader->reading->skipped, str_from(row->name));
		return true;
	}
	inside = member_path_find(value, str_from(row->content));
	dialect = find_inside(inside);
	if (dialect == NULL)
		return false;
	dialect_note_other(reader->reading, &batch_dialect, &record->line);
	line_session_name(
	    &reader->session, json_find(value, str_from(row->id)), reader->base.stage.next);
	read_inside(reader, record, dialect, inside);
	return true;
}

static void
take(struct stage *stage, struct record *record)
{
	struct reader *reader = (struct reader *)stage;
	const struct batch_row *row = NULL;

	if (record->kind == RECORD_FOREIGN)
		row = find_row(record->message->value);
	if (row == NULL || !read_line(reader, record, row))
		stage_emit(stage, record);
}

static void
free_reader(struct dialect_stage *base)
{
	struct reader *reader = (struct reader *)base;

	line_session_free(&reader->session);
	buf_free(&reader->text);
	free(reader);
}

static struct dialect_stage *
open_reader(struct dialect_reading *reading)
{
	struct reader *reader = mem_alloc(1, sizeof *reader);

	*reader = (struct reader){
	    .base = {.stage = {.take = take, .end = stage_pass_end}, .free = free_reader},
	    .reading = reading};
	line_session_init(&reader->session);
	return &reader->base;
}

const struct dialect batch_dialect = {.name = "batch", .sign = sign, .reader = open_reader};
