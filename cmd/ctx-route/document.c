#include "document.h"

#include "base/diag.h"
#include "json/scan.h"
#include "json/text.h"
#include "json/walk.h"
#include "json/write.h"
#include "stream/input.h"

/* All of a file but a byte order mark in front, and readable bytes behind it. */
static void
read_file(const char *path, struct buf *content)
{
	char *operand = (char *)path;
	struct fault fault = FAULT_INIT;
	struct input in;
	struct line line;

	input_init(&in, &operand, 1, &fault);
	while (input_fill(&in)) {
		while (input_next(&in, &line)) {
			const char *start = content->len == 0 ? line.text.ptr : line.raw.ptr;

			buf_add(content, start, (size_t)(line.raw.ptr + line.raw.len - start));
		}
	}
	if (fault_is_set(&fault))
		diag_die(fault.status, "%.*s", STR_ARG(buf_str(&fault.text)));
	input_free(&in);
	buf_pad(content);
}

/* Where text stops being UTF-8; its length when it does not. */
static size_t
find_invalid(struct str text)
{
	struct buf quoted = BUF_INIT, decoded = BUF_INIT;
	size_t at = 0;

	json_write_string(&quoted, text);
	buf_pad(&quoted);
	json_decode(json_value_at(quoted.ptr), &decoded);
	while (at < text.len && at < decoded.len && text.ptr[at] == decoded.ptr[at])
		at++;
	buf_free(&quoted);
	buf_free(&decoded);
	return at;
}

void
document_read_text(const char *path, struct buf *json)
{
	struct buf content = BUF_INIT;
	size_t valid;

	read_file(path, &content);
	valid = find_invalid(buf_str(&content));
	if (valid < content.len)
		diag_die(STATUS_CONFIG, "%s: expected UTF-8 text, at byte %zu", path, valid + 1);
	json_write_string(json, buf_str(&content));
	buf_free(&content);
}

void
document_pack(struct buf *buf, struct str json)
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

void
document_read_object(const char *path, struct buf *json)
{
	struct buf content = BUF_INIT;
	struct json_scan scan;

	read_file(path, &content);
	if (!json_scan(buf_str(&content), NULL, &scan))
		diag_die(STATUS_CONFIG, "%s: %s, at byte %zu", path, scan.error, scan.error_at + 1);
	if (scan.value.type != JSON_OBJECT)
		diag_die(STATUS_CONFIG, "%s: expected a JSON object", path);
	document_pack(json, json_span(scan.value));
	buf_free(&content);
}
