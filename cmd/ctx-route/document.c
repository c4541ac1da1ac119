#include "document.h"

#include "base/diag.h"
#include "base/file.h"
#include "base/utf8.h"
#include "json/scan.h"
#include "json/write.h"

/* Reads a whole file, without a byte order mark in front. */
static struct str
read_text(const char *path, struct buf *content)
{
	struct fault fault = FAULT_INIT;

	if (!file_read(path, SIZE_MAX, content, &fault))
		diag_die(fault.status, "%.*s", STR_ARG(buf_str(&fault.text)));
	return utf8_unmarked(buf_str(content));
}

void
document_read_text(const char *path, struct buf *json)
{
	struct buf content = BUF_INIT;
	struct str text = read_text(path, &content);
	size_t valid = utf8_valid(text);

	if (valid < text.len)
		diag_die(STATUS_CONFIG, "%s: expected UTF-8 text, at byte %zu", path, valid + 1);
	json_write_string(json, text);
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
	struct str text = read_text(path, &content);
	struct json_scan scan;

	if (!json_scan(text, NULL, &scan))
		diag_die(STATUS_CONFIG, "%s: %s, at byte %zu", path, scan.error, scan.error_at + 1);
	if (scan.value.type != JSON_OBJECT)
		diag_die(STATUS_CONFIG, "%s: expected a JSON object", path);
	document_pack(json, json_span(scan.value));
	buf_free(&content);
}
