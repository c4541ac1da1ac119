#include "data/message/message.h"

#include "data/message/source_record.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/write.h"

/* The members that are read; the last four may contain messages. */
/* clang-format off */
#define NAME_TABLE(row) \
	row(NAME_ROLE, "role") row(NAME_CONTENT, "content") row(NAME_TOOL_CALLS, "tool_calls") \
	row(NAME_TOOL_CALL_ID, "tool_call_id") row(NAME_METADATA, "metadata") \
	row(NAME_TYPE, "type") row(NAME_UNDERSCORE_METADATA, "_metadata") \
	row(NAME_NAME, "name") row(NAME_REFUSAL, "refusal") \
	row(NAME_REASONING, "reasoning_content") row(NAME_TOOL_RESULT, "tool_result") \
	row(NAME_CREATED_AT, "createdAt") row(NAME_MESSAGES, "messages") \
	row(NAME_CHOICES, "choices") row(NAME_OUTPUT, "output") \
	row(NAME_CONVERSATIONS, "conversations")

/* Those of a result of instructor. */
#define RESULT_TABLE(row) \
	row(RESULT_CALL_ID, "call_id") row(RESULT_TOOL_NAME, "tool_name") \
	row(RESULT_IS_ERROR, "is_error") row(RESULT_CONTENT, "content")
/* clang-format on */

enum record_name {
	NAME_TABLE(JSON_NAME_INDEX) NAME_COUNT,
	NAME_ACTED_ON = NAME_UNDERSCORE_METADATA, /* names before this one must not be repeated */
};

enum result_name { RESULT_TABLE(JSON_NAME_INDEX) RESULT_COUNT };

static const struct str record_list[] = {NAME_TABLE(JSON_NAME_TEXT)};
static const struct str result_list[] = {RESULT_TABLE(JSON_NAME_TEXT)};

static const char *const repeated_error[] = {
#define NAME_REPEATED(index, name) "repeated member '" name "'",
    NAME_TABLE(NAME_REPEATED)};

/* Filled once by message_init, read-only afterwards. */
static struct json_names record_names, result_names;

/* A value that is derived, with the padding that readers of JSON need. */
static const char word_summary[sizeof "\"summary\"" + JSON_PADDING] = "\"summary\"";

void
message_init(void)
{
	JSON_NAMES_INIT(&record_names, record_list, NAME_COUNT);
	JSON_NAMES_INIT(&result_names, result_list, RESULT_COUNT);
	call_names_init(&record_names, NAME_TOOL_CALLS);
	message_names_init();
	metadata_names_note(&record_names, NAME_METADATA);
}

struct str
message_section(const struct message *message, struct buf *scratch)
{
	struct json_value section = message->meta[METADATA_SECTION];

	return section.type == JSON_STRING ? json_text(section, scratch) : STR("messages");
}

static void
set_bad(struct message *message, const char *error, size_t at)
{
	message->kind = RECORD_BAD;
	message->error = error;
	message->error_at = at;
}

static enum record_kind
kind_of(const struct json_scan *scan)
{
	struct json_value type = scan->member[NAME_TYPE];

	if (scan->value.type != JSON_OBJECT)
		return RECORD_FOREIGN;
	if (scan->member[NAME_ROLE].type == JSON_STRING)
		return RECORD_MESSAGE;
	if (json_is(type, STR("context")))
		return RECORD_CONTEXT;
	if (json_is(type, STR("budget")))
		return RECORD_BUDGET;
	if (json_is(type, STR("source")) && source_record_is(scan->value))
		return RECORD_SOURCE;
	return RECORD_FOREIGN;
}

/* Whether metadata may replace the value. */
static bool
is_free(struct json_value value)
{
	return value.type <= JSON_NULL || (value.type == JSON_ARRAY && !json_has_elements(value));
}

static void
set_metadata(struct message *message, const struct json_scan *scan)
{
	struct json_value plain = scan->member[NAME_METADATA];
	struct json_value underscore = scan->member[NAME_UNDERSCORE_METADATA];
	bool is_underscore = plain.type == JSON_ABSENT && underscore.type != JSON_ABSENT;

	message->metadata = plain.type == JSON_OBJECT ? plain : underscore;
	if (message->metadata.type != JSON_OBJECT)
		message->metadata.type = JSON_ABSENT;
	message->home = is_free(plain) && !(is_underscore && is_free(underscore)) ? METADATA_PLAIN :
	    is_free(underscore) ? METADATA_UNDERSCORE :
				  METADATA_NOWHERE;
	message->home_free = message->home == METADATA_PLAIN ? plain : underscore;
	message->has_metadata = plain.type != JSON_ABSENT || underscore.type != JSON_ABSENT;
	if (plain.type == JSON_OBJECT)
		memcpy(message->meta, scan->object, sizeof message->meta);
	else
		metadata_pick(message->metadata, message->meta);
}

/* Sets a value that the message lacks. */
static void
complete(struct json_value *value, struct json_value other)
{
	if (value->type <= JSON_NULL && other.type > JSON_NULL)
		*value = other;
}

/* A message in section summary is a summary, and a summary is in that section. */
static void
complete_summary(struct json_value *kind, struct json_value *section)
{
	if (kind->type <= JSON_NULL && json_is(*section, STR("summary")))
		*kind = json_value_at(word_summary);
	else if (section->type <= JSON_NULL && json_is(*kind, STR("summary")))
		*section = json_value_at(word_summary);
}

/* Reads the values that instructor has in other members: in tool_result, in metadata, in
 * createdAt. */
static void
set_others(struct message *message, struct json_value result, struct json_value created_at)
{
	struct json_value *meta = message->meta, said[RESULT_COUNT];

	if (result.type != JSON_OBJECT)
		result = meta[METADATA_TOOL_RESULT];
	message->result_text.type = JSON_ABSENT;
	if (result.type == JSON_OBJECT) {
		json_pick(result, &result_names, said);
		complete(&message->tool_call_id, said[RESULT_CALL_ID]);
		complete(&meta[METADATA_TOOL_NAME], said[RESULT_TOOL_NAME]);
		complete(&meta[METADATA_IS_ERROR], said[RESULT_IS_ERROR]);
		if (said[RESULT_CONTENT].type == JSON_STRING)
			message->result_text = said[RESULT_CONTENT];
	}
	complete(&message->tool_call_id, meta[METADATA_TOOL_CALL_ID]);
	complete(&meta[METADATA_TIMESTAMP], created_at);
	complete_summary(&meta[METADATA_KIND], &meta[METADATA_SECTION]);
}

static void
note_calls(struct message *message, const struct json_scan *scan)
{
	message->noted = NULL;
	if (message->tool_calls.type != JSON_ARRAY || scan->elements > MESSAGE_CALLS)
		return;
	message->noted = message->tool_calls.ptr;
	message->call_count = scan->elements;
	for (uint32_t i = 0; i < scan->elements; i++)
		call_read(&message->call[i], scan->element[i].value, scan->element[i].member);
}

/* The offset in text of the second member of object with that name. */
static size_t
find_repeated(const char *text, struct json_value object, struct str name)
{
	struct json_walk walk = json_walk_of(object);

	for (unsigned seen = 0; seen < 2 && json_walk_next(&walk);)
		seen += json_is(walk.name, name);
	return (size_t)(walk.name.ptr - text);
}

/* Whether a record may have messages in it. */
static bool
may_hold(const struct json_scan *scan)
{
	if (scan->value.type != JSON_OBJECT)
		return true;
	for (int i = NAME_MESSAGES; i < NAME_COUNT; i++)
		if (scan->member[i].type != JSON_ABSENT)
			return true;
	return false;
}

/* Fills message from a scan. */
static void
take_scan(struct message *message, const char *text, const struct json_scan *scan)
{
	uint64_t repeated = scan->repeated & ((UINT64_C(1) << NAME_ACTED_ON) - 1);

	message->value = scan->value;
	message->spans = NULL;
	message->kind = kind_of(scan);
	message->may_hold = may_hold(scan);
	if (message->kind == RECORD_FOREIGN || message->kind == RECORD_SOURCE)
		return;
	if (repeated != 0) {
		int i = __builtin_ctzll(repeated);

		set_bad(
		    message, repeated_error[i], find_repeated(text, scan->value, record_list[i]));
		return;
	}
	message->role_value = scan->member[NAME_ROLE];
	message->role = role_of(message->role_value);
	message->content = scan->member[NAME_CONTENT];
	message->tool_calls = scan->member[NAME_TOOL_CALLS];
	message->tool_call_id = scan->member[NAME_TOOL_CALL_ID];
	message->name = scan->member[NAME_NAME];
	message->type = scan->member[NAME_TYPE];
	message->refusal = scan->member[NAME_REFUSAL];
	message->reasoning = scan->member[NAME_REASONING];
	note_calls(message, scan);
	set_metadata(message, scan);
	set_others(message, scan->member[NAME_TOOL_RESULT], scan->member[NAME_CREATED_AT]);
}

void
message_parse(struct message *message, struct str text)
{
	struct json_scan scan;

	if (str_trim(text).len == 0)
		message->kind = RECORD_BLANK;
	else if (json_scan(text, &record_names, &scan))
		take_scan(message, text.ptr, &scan);
	else
		set_bad(message, scan.error, scan.error_at);
}

void
message_say(struct message *message, struct str text, struct buf *record)
{
	struct json_writer w;

	json_begin(&w, record, '{');
	json_member_string(&w, STR("role"), role_name(ROLE_USER));
	json_member_string(&w, STR("content"), text);
	json_close(&w);
	buf_pad(record);
	message_parse(message, buf_str(record));
}

/* Reads a text again, and in it the members of metadata. */
static void
reread(struct str text, const struct json_value *known, unsigned count, struct json_scan *scan)
{
	json_reread(text, &record_names, known, count, scan);
	json_note_object(&record_names, scan);
}

void
message_reread(struct message *message, struct str text)
{
	struct json_scan scan;

	reread(text, NULL, 0, &scan);
	take_scan(message, text.ptr, &scan);
}

void
message_reread_known(struct message *message, struct str text, const struct message_known *known)
{
	struct json_scan scan;

	if (known->texts_only) {
		json_reread(text, &record_names, known->member, known->count, &scan);
		memset(scan.object, 0, sizeof message->meta);
	} else {
		reread(text, known->member, known->count, &scan);
	}
	take_scan(message, text.ptr, &scan);
}

void
message_read_made(struct message *message, struct str text)
{
	struct json_scan scan;

	if (text.len > UINT32_MAX) {
		message_parse(message, text);
		return;
	}
	reread(text, NULL, 0, &scan);
	json_note_elements(&record_names, &scan);
	take_scan(message, text.ptr, &scan);
}

void
message_set_made(struct message *message)
{
	message->kind = RECORD_MESSAGE;
	message->role = role_of(message->role_value);
	message->has_metadata = message->metadata.type != JSON_ABSENT;
	message->home = !message->has_metadata ? METADATA_PLAIN : METADATA_UNDERSCORE;
	set_others(message, json_absent, json_absent);
}

static void
move_value(struct json_value *value, const char *from, size_t len, const char *to)
{
	if (value->ptr >= from && value->ptr < from + len)
		value->ptr = to + (value->ptr - from);
}

/* Notes the calls that were noted before the array of calls was moved. */
static void
move_calls(struct message *message, const struct message *before)
{
	struct json_value calls = before->tool_calls;
	const char *to = message->tool_calls.ptr;

	message->noted = to;
	message->call_count = before->call_count;
	for (uint32_t i = 0; i < before->call_count; i++) {
		struct tool_call *call = &message->call[i];

		*call = before->call[i];
		move_value(&call->value, calls.ptr, calls.len, to);
		move_value(&call->id, calls.ptr, calls.len, to);
		move_value(&call->name, calls.ptr, calls.len, to);
		move_value(&call->arguments, calls.ptr, calls.len, to);
	}
}

void
message_note_moved(const struct message *message, struct str piece, const char *to,
    struct json_value moved[MESSAGE_LONG])
{
	const struct json_value *value[MESSAGE_LONG] = {
	    &message->tool_calls, &message->content, &message->reasoning};

	for (int i = 0; i < MESSAGE_LONG; i++) {
		if (value[i]->type == JSON_ABSENT || value[i]->ptr < piece.ptr ||
		    value[i]->ptr + value[i]->len > piece.ptr + piece.len)
			continue;
		moved[i] = *value[i];
		moved[i].ptr = to + (value[i]->ptr - piece.ptr);
	}
}

void
message_reread_moved(struct message *message, struct str text, const struct message *before,
    const struct json_value moved[MESSAGE_LONG])
{
	struct json_scan scan;

	reread(text, moved, MESSAGE_LONG, &scan);
	take_scan(message, text.ptr, &scan);
	if (message->kind == RECORD_MESSAGE && message->tool_calls.type == JSON_ARRAY &&
	    message->tool_calls.ptr == moved[0].ptr && before->noted == before->tool_calls.ptr)
		move_calls(message, before);
}

size_t
message_parse_line(struct message *message, struct str text, struct json_spans *spans)
{
	struct json_scan scan;
	size_t len = json_scan_line(text, &record_names, &scan, spans);

	if (len > 0) {
		take_scan(message, text.ptr, &scan);
		message->spans = spans;
	}
	return len;
}

int
message_flag(const struct message *message, enum metadata_name name)
{
	uint8_t type = message->meta[name].type;

	return type == JSON_TRUE ? 1 : type == JSON_FALSE ? 0 : -1;
}

void
message_set_call(struct message *message, const struct tool_call *call)
{
	message->role = ROLE_ASSISTANT;
	message->tool_calls = call->value;
	message->tool_calls.type = JSON_ARRAY;
	message->noted = call->value.ptr;
	message->call[0] = *call;
	message->call_count = 1;
}

struct call_walk
call_walk_of(const struct message *message)
{
	struct call_walk walk = {.noted = message->call};
	struct json_value calls = message->tool_calls;

	if (calls.type != JSON_ARRAY)
		calls = message->meta[METADATA_TOOL_CALLS];
	if (message->role != ROLE_ASSISTANT)
		return walk;
	if (calls.type == JSON_ARRAY && calls.ptr == message->noted)
		walk.left = message->call_count;
	else
		walk.inner = json_walk_list(calls);
	return walk;
}

bool
message_has_calls(const struct message *message)
{
	struct call_walk walk = call_walk_of(message);

	if (walk.left > 0)
		return true;
	while (json_walk_next(&walk.inner))
		if (walk.inner.value.type == JSON_OBJECT)
			return true;
	return false;
}
