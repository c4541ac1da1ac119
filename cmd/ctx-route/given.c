#include "given.h"

#include "base/diag.h"
#include "base/file.h"
#include "base/text/utf8.h"
#include "json/scan.h"
#include "json/members.h"
#include "json/write.h"
#include "face/fault_die.h"

/* Reads a whole file, without a byte order mark in front. */
static struct str
read_text(const char *path, struct buf *content)
{
	struct fault fault = FAULT_INIT;

	if (!file_read(path, SIZE_MAX, content, &fault))
		fault_die(&fault);
	return utf8_unmarked(buf_str(content));
}

void
given_pack(struct buf *buf, struct str json)
{
	bool in_string = false;

	for (size_t i = 0; i < json.len; i++) {
		char c = json.ptr[i];

		if (c == '"')
			in_string = !in_string;
		if (in_string || (c != ' ' && c != '\t' && c != '\r' && c != '\n'))
			buf_add_char(buf, c);
		if (in_string && c == '\\')
			buf_add_char(buf, json.ptr[++i]);
	}
}

bool
given_is_json(struct str text, unsigned levels)
{
	struct buf buf = BUF_INIT;
	struct json_scan scan;
	bool is_json;

	for (unsigned i = 0; i < levels; i++)
		buf_add_char(&buf, '[');
	buf_add_str(&buf, text);
	for (unsigned i = 0; i < levels; i++)
		buf_add_char(&buf, ']');
	buf_pad(&buf);
	is_json = json_scan(buf_str(&buf), NULL, &scan);
	buf_free(&buf);
	return is_json;
}

static bool
is_of_type(struct json_value value, enum given_type type)
{
	struct json_walk walk;

	if (type == GIVEN_OBJECT)
		return value.type == JSON_OBJECT;
	if (value.type != JSON_ARRAY)
		return false;
	json_walk_open(&walk, value);
	while (json_walk_next(&walk))
		if (walk.value.type != JSON_OBJECT)
			return false;
	return true;
}

static void
read_json(const char *path, struct str text, enum given_type type, struct buf *json)
{
	struct json_scan scan;

	if (!json_scan(text, NULL, &scan))
		diag_die(STATUS_CONFIG, "%s: %s, at byte %zu", path, scan.error, scan.error_at + 1);
	if (!is_of_type(scan.value, type))
		diag_die(STATUS_CONFIG, "%s: expected a JSON %s", path,
		    type == GIVEN_OBJECT ? "object" : "array of objects");
	if (!given_is_json(json_span(scan.value), 1))
		diag_die(STATUS_CONFIG, "%s: nests too deep for a record", path);
	given_pack(json, json_span(scan.value));
}

static void
read_string(const char *path, struct str text, struct buf *json)
{
	size_t valid = utf8_valid(text);

	if (valid < text.len)
		diag_die(STATUS_CONFIG, "%s: expected UTF-8 text, at byte %zu", path, valid + 1);
	json_write_string(json, text);
}

void
given_read(const char *path, enum given_type type, struct buf *json)
{
	struct buf content = BUF_INIT;
	struct str text = read_text(path, &content);

	if (text.len > 0 && type == GIVEN_TEXT)
		read_string(path, text, json);
	else if (text.len > 0)
		read_json(path, text, type, json);
	buf_free(&content);
}
