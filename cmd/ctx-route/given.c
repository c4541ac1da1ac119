#include "given.h"

#include "base/byte.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/text/utf8.h"
#include "json/scan.h"
#include "json/members.h"
#include "json/write.h"
#include "face/fault_die.h"

void
given_pack(struct buf *buf, struct str json)
{
	bool in_string = false;

	for (size_t i = 0; i < json.len; i++) {
		char c = json.ptr[i];

		if (c == '"')
			in_string = !in_string;
		if (in_string || !byte_is_blank(c))
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

static void
read_json(const char *path, struct str text, enum given_type type, struct buf *json)
{
	struct json_scan scan;

	if (!json_scan(text, NULL, &scan))
		diag_die(STATUS_CONFIG, "%s: %s, at byte %zu", path, scan.error, scan.error_at + 1);
	if (type == GIVEN_OBJECT ? scan.value.type != JSON_OBJECT :
				   !json_is_list_of(scan.value, JSON_OBJECT))
		diag_die(STATUS_CONFIG, "%s: expected a JSON %s", path,
		    type == GIVEN_OBJECT ? "object" : "array of objects");
	if (!given_is_json(json_span(scan.value), 1))
		diag_die(STATUS_CONFIG, "%s: nests too deep for a record", path);
	given_pack(json, json_span(scan.value));
}

void
given_read(const char *path, enum given_type type, struct buf *json)
{
	struct fault fault = FAULT_INIT;
	struct buf content = BUF_INIT;
	struct str text;
	size_t valid;

	if (!file_read(path, SIZE_MAX, &content, &fault))
		fault_die(&fault);
	text = utf8_unmarked(buf_str(&content));
	if (text.len > 0 && type != GIVEN_TEXT) {
		read_json(path, text, type, json);
	} else if (text.len > 0) {
		valid = utf8_valid(text);
		if (valid < text.len)
			diag_die(
			    STATUS_CONFIG, "%s: expected UTF-8 text, at byte %zu", path, valid + 1);
		json_write_string(json, text);
	}
	buf_free(&content);
}
