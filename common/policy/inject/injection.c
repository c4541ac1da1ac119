#include "policy/inject/injection.h"

#include "base/text/utf8.h"
#include "data/walk.h"
#include "json/write.h"
#include "stream/input.h"
#include "stream/process/process.h"

enum { OUTPUT_MOST = 64 << 20 }; /* bytes of the output of a command */

/* A file of records that is read line by line. */
struct records {
	struct walk walk;
	struct message message;
	const char *file;
	size_t number;     /* of the line, from 1 */
	uint64_t unpaired; /* calls without a result */
	struct fault *fault;
};

static bool
has_records(struct str content)
{
	struct message message = {.kind = RECORD_BLANK};

	while (content.len > 0 && message.kind == RECORD_BLANK)
		message_parse(&message, input_line_text(str_take_line(&content)));
	return message.kind == RECORD_MESSAGE || message.kind == RECORD_CONTEXT;
}

static bool
refuse(const struct records *records, const char *what)
{
	return fault_set(
	    records->fault, STATUS_CONFIG, "%s:%zu: %s", records->file, records->number, what);
}

/* Whether the message may be injected, as one of its group. */
static bool
check_message(struct records *records)
{
	const struct message *message = &records->message;
	struct verdict verdict;

	if (message->kind != RECORD_MESSAGE)
		return refuse(records, "expected a message");
	if (message->meta[METADATA_PARENT_EXECUTION_ID].type == JSON_STRING)
		return refuse(records, "expected no message of a sub-agent");
	if (message->metadata.type == JSON_ABSENT && message->home == METADATA_NOWHERE)
		return refuse(records, "the message has no room for metadata");
	walk_add(&records->walk, message, &verdict);
	if (message->role == ROLE_TOOL && verdict.answers == WALK_NONE)
		return refuse(records, "the result answers no call");
	records->unpaired += verdict.calls;
	records->unpaired -= verdict.answers != WALK_NONE;
	return true;
}

static bool
read_records(struct injection *injection, struct records *records, struct str content)
{
	const struct message *message = &records->message;

	while (content.len > 0) {
		struct str line = input_line_text(str_take_line(&content));

		records->number++;
		message_parse(&records->message, line);
		if (message->kind == RECORD_BLANK)
			continue;
		if (message->kind == RECORD_BAD)
			return fault_set(records->fault, STATUS_CONFIG, "%s:%zu: %s, at byte %zu",
			    records->file, records->number, message->error, message->error_at + 1);
		if (!check_message(records))
			return false;
		buf_add_str(&injection->lines, line);
		buf_add_char(&injection->lines, '\n');
	}
	buf_pad(&injection->lines);
	return records->unpaired == 0 || refuse(records, "a call before has no result");
}

/* Makes a system message of the text, unless it is blank. */
static void
add_text(struct injection *injection, struct str text)
{
	struct json_writer w;

	if (str_trim(text).len == 0)
		return;
	while (text.ptr[text.len - 1] == '\n' || text.ptr[text.len - 1] == '\r')
		text.len--;
	json_begin(&w, &injection->lines, '{');
	json_member_string(&w, STR("role"), STR("system"));
	json_member_string(&w, STR("content"), text);
	json_close(&w);
	buf_add_char(&injection->lines, '\n');
	buf_pad(&injection->lines);
}

bool
injection_read(
    struct injection *injection, const char *file, struct str content, struct fault *fault)
{
	struct records records = {.file = file, .fault = fault};
	struct str text = utf8_unmarked(content);
	size_t valid = utf8_valid(text);
	const char *nul = memchr(text.ptr, '\0', valid);
	bool good;

	if (nul != NULL)
		valid = (size_t)(nul - text.ptr);
	if (valid < text.len)
		return fault_set(
		    fault, STATUS_CONFIG, "%s: expected UTF-8 text, at byte %zu", file, valid + 1);
	if (!has_records(text)) {
		add_text(injection, text);
		return true;
	}
	walk_init(&records.walk);
	good = read_records(injection, &records, text);
	walk_free(&records.walk);
	return good;
}

bool
injection_run(
    struct injection *injection, struct str request, uint64_t timeout, struct fault *fault)
{
	struct process process = {.command = injection->command,
	    .input = request,
	    .timeout = timeout,
	    .output_max = OUTPUT_MOST};
	struct buf output = BUF_INIT;
	bool good = process_run(&process, &output, NULL, fault) &&
	    process_check_text(injection->command, buf_str(&output), fault);
	const char *nul = good && output.len > 0 ? memchr(output.ptr, '\0', output.len) : NULL;

	if (nul != NULL)
		good = fault_set(fault, STATUS_UNAVAILABLE,
		    "'%s' wrote a NUL and so no text, at byte %zu", injection->command,
		    (size_t)(nul - output.ptr) + 1);
	if (good)
		add_text(injection, buf_str(&output));
	buf_free(&output);
	return good;
}

void
injection_free(struct injection *injection)
{
	buf_free(&injection->lines);
}
