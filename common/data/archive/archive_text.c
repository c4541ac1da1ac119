#include "data/archive/archive_text.h"

#include "base/text/utf8.h"
#include "data/message/texts.h"
#include "data/message/tool_output.h"
#include "json/nested.h"
#include "json/scan.h"
#include "json/string.h"

static void
add_value(struct json_value value, struct buf *text)
{
	struct buf decoded = BUF_INIT;

	buf_add_str(
	    text, value.type == JSON_STRING ? json_text(value, &decoded) : json_span(value));
	buf_free(&decoded);
}

static void
add_arguments(struct json_value arguments, struct buf *text)
{
	struct arena arena = ARENA_INIT;
	struct json_nested nested = {.value = arguments};

	if (arguments.type == JSON_STRING)
		json_nested_read(&nested, arguments, &arena);
	if (nested.value.type == JSON_OBJECT) {
		for (struct json_walk members = json_walk_of(nested.value);
		     json_walk_next(&members);) {
			buf_end_line(text);
			add_value(members.name, text);
			buf_add_str(text, STR(": "));
			add_value(members.value, text);
		}
	} else {
		add_value(arguments, text);
	}
	arena_free(&arena);
}

struct reading {
	struct buf *text;
	bool is_result;
};

/* The content of a result. */
static void
add_content(struct json_value value, const struct reading *reading)
{
	struct buf decoded = BUF_INIT;

	if (!reading->is_result || value.type != JSON_STRING ||
	    !tool_output_read(json_text(value, &decoded), reading->text))
		add_value(value, reading->text);
	buf_free(&decoded);
}

static void
add_found(void *context, enum text_kind kind, struct json_value value)
{
	const struct reading *reading = context;
	struct buf *text = reading->text;

	buf_end_line(text);
	switch (kind) {
	case TEXT_ARGUMENTS:
		add_arguments(value, text);
		break;
	case TEXT_IMAGE:
	case TEXT_AUDIO:
	case TEXT_FILE:
		buf_add_str(text, text_stand_in(kind));
		break;
	case TEXT_CONTENT:
		add_content(value, reading);
		break;
	case TEXT_THINKING:
	case TEXT_SIGNED:
	case TEXT_NAME:
		add_value(value, text);
	}
}

/* Appends a line. In a long line, a line end follows each line end that is written as an escape. */
static void
add_split(struct str line, struct buf *text)
{
	enum { LONG = 200 };
	static const struct str escape = STR_INIT("\\n");
	const char *at = line.len > LONG ? str_find(line, escape) : NULL;

	for (; at != NULL; at = str_find(line, escape)) {
		size_t len = (size_t)(at - line.ptr) + escape.len;

		buf_add(text, line.ptr, len);
		line = str_of(line.ptr + len, line.len - len);
		if (line.len > 0)
			buf_add_char(text, '\n');
	}
	buf_add_str(text, line);
}

void
archive_text_write(const struct message *message, struct buf *text)
{
	struct buf whole = BUF_INIT;
	struct reading reading = {.text = &whole, .is_result = message->role == ROLE_TOOL};
	struct str rest;

	if (message->kind == RECORD_MESSAGE)
		message_texts(message, add_found, &reading);
	else
		buf_add_str(&whole, json_span(message->value));
	rest = buf_str(&whole);
	while (rest.len > 0) {
		add_split(str_take_line(&rest), text);
		if (rest.len > 0 || whole.ptr[whole.len - 1] == '\n')
			buf_add_char(text, '\n');
	}
	buf_free(&whole);
}

/* Loads the entry, if it is a record. */
static bool
load(const struct archive_index *index, uint32_t item, struct buf *json, struct message *message)
{
	if (item == NONE || index->item[item].kind != ARCHIVE_RECORD ||
	    !archive_index_load(index, item, json))
		return false;
	message_parse(message, buf_str(json));
	if (message->kind == RECORD_BAD || message->kind == RECORD_BLANK)
		*message = (struct message){.kind = message->kind};
	else if (message->kind != RECORD_MESSAGE)
		*message = (struct message){.kind = message->kind, .value = message->value};
	return true;
}

bool
archive_text_load(
    const struct archive_index *index, uint32_t item, struct buf *json, struct message *message)
{
	struct buf older = BUF_INIT;
	struct archive_key key;
	struct message before;

	if (!load(index, item, json, message))
		return false;
	while (archive_key_of_message(message, &key) &&
	    load(index, archive_index_find(index, &key), &older, &before)) {
		struct buf swap = *json;

		*json = older;
		older = swap;
		*message = before;
	}
	buf_free(&older);
	return true;
}

void
archive_text_beginning(struct str text, struct buf *line)
{
	enum { SHOWN = 100 };
	size_t len = text.len > SHOWN ? utf8_floor(text, SHOWN) : text.len;

	for (size_t i = 0; i < len; i++)
		buf_add_char(line, (unsigned char)text.ptr[i] < ' ' ? ' ' : text.ptr[i]);
	if (len < text.len)
		buf_add_str(line, STR(" …"));
}

static void
add_member(struct json_value about, struct str name, struct str before, struct buf *text)
{
	struct json_value value = json_find(about, name);
	struct buf decoded = BUF_INIT;

	if (value.type == JSON_ABSENT)
		return;
	buf_add_str(text, before);
	archive_text_beginning(
	    value.type == JSON_STRING ? json_text(value, &decoded) : json_span(value), text);
	buf_free(&decoded);
}

static bool
read_about(const struct archive_index *index, uint32_t item, struct buf *text)
{
	struct buf json = BUF_INIT;
	struct json_scan scan;
	bool is_read =
	    archive_index_load(index, item, &json) && json_scan(buf_str(&json), NULL, &scan);

	if (is_read) {
		add_member(scan.value, STR("tool"), STR(" "), text);
		add_member(scan.value, STR("target"), STR(" "), text);
		add_member(scan.value, STR("turn"), STR(", turn "), text);
		add_member(scan.value, STR("time"), STR(", "), text);
	}
	buf_free(&json);
	return is_read;
}

/* Whether an entry between the two in the chain has the key of the older one: another pass wrote
 * the same. */
static bool
was_read(const struct archive_index *index, uint32_t newest, uint32_t older)
{
	const struct archive_index_item *item = index->item;

	while (newest != older && !archive_key_eq(&item[newest].key, &item[older].key))
		newest = item[newest].older_of;
	return newest != older;
}

void
archive_text_about(
    const struct archive_index *index, const struct archive_key *record, struct buf *text)
{
	enum { SHOWN = 3, READ = 16 };
	uint32_t newest = archive_index_about(index, record), i = newest, shown = 0;

	for (uint32_t n = 0; i != NONE && n < READ; n++, i = index->item[i].older_of) {
		if (was_read(index, newest, i))
			continue;
		if (shown == SHOWN) {
			buf_add_str(text, STR(" …"));
			break;
		}
		if (shown > 0)
			buf_add_str(text, STR(" or"));
		shown += read_about(index, i, text);
	}
}

static void
list_record(const struct archive_index *index, const struct archive_key *key, struct buf *text)
{
	uint32_t item = archive_index_find(index, key);
	struct buf json = BUF_INIT, said = BUF_INIT;
	struct message message;

	archive_key_write(key, text);
	text->len -= ARCHIVE_KEY_DIGITS - ARCHIVE_KEY_SHORT;
	if (archive_text_load(index, item, &json, &message)) {
		archive_text_write(&message, &said);
		buf_add_char(text, ' ');
		buf_add_str(
		    text, message.kind == RECORD_MESSAGE ? role_name(message.role) : STR("record"));
		buf_add_str(text, STR(": "));
		archive_text_beginning(buf_str(&said), text);
	} else {
		buf_add_str(text, STR(" is not there"));
	}
	buf_add_char(text, '\n');
	buf_free(&json);
	buf_free(&said);
}

bool
archive_text_list(const struct archive_index *index, uint32_t item, struct buf *text)
{
	struct buf json = BUF_INIT;
	struct json_scan scan;
	struct archive_key key;
	bool done = archive_index_load(index, item, &json) &&
	    json_scan(buf_str(&json), NULL, &scan) && scan.value.type == JSON_ARRAY;

	if (done) {
		for (struct json_walk keys = json_walk_of(scan.value); json_walk_next(&keys);)
			if (keys.value.type == JSON_STRING &&
			    archive_key_read(json_inner(keys.value), &key))
				list_record(index, &key, text);
	}
	buf_free(&json);
	return done;
}
