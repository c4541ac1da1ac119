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
 * Each line is a session, whose name is the id that the caller gave it.
 */

#include "dialects/envelope/envelope.h"
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

static struct conditions_table table = CONDITIONS_TABLE(rows);

/* The row of the line, or NULL. */
static const struct batch_row *
find_row(struct json_value record)
{
	size_t i = conditions_table_find(&table, record);

	return i < table.count ? &rows[i] : NULL;
}

static enum dialect_sign
sign(struct json_value record)
{
	return find_row(record) != NULL ? DIALECT_SIGN_CERTAIN : DIALECT_SIGN_NONE;
}

static bool
read_line(struct envelope *envelope, const struct record *record)
{
	struct json_value value = record->message->value, inside;
	const struct batch_row *row = find_row(value);
	const struct dialect *dialect;

	if (row->content == NULL) {
		tally_add(envelope->reading->skipped, str_from(row->name));
		return true;
	}
	inside = member_path_find(value, str_from(row->content));
	dialect = envelope_find(inside);
	if (dialect == NULL)
		return false;
	envelope_begin(envelope, json_find(value, str_from(row->id)));
	envelope_read(envelope, record, dialect, json_span(inside));
	return true;
}

static struct dialect_stage *
reader(struct dialect_reading *reading)
{
	return envelope_reader(&batch_dialect, reading, read_line);
}

const struct dialect batch_dialect = {.name = "batch", .sign = sign, .reader = reader};
