#include "face/document.h"

#include "json/scan.h"

bool
document_begins(const struct line *line)
{
	const char *end = line->raw.ptr + line->raw.len;
	struct str text = str_of(line->text.ptr, (size_t)(end - line->text.ptr));
	struct str trimmed = str_trim(text);
	struct json_scan scan;

	if (line->more || line->continued || trimmed.len == 0 ||
	    (trimmed.ptr[0] != '[' && trimmed.ptr[0] != '{'))
		return false;
	return !json_scan(text, NULL, &scan) && scan.error_at == text.len;
}

bool
document_unfold(struct str text, struct buf *line)
{
	struct str json = str_trim(text);
	const char *end = json.ptr + json.len;
	struct json_scan scan;
	char *to;

	if (!json_scan(text, NULL, &scan))
		return false;
	buf_reset(line);
	to = buf_reserve(line, json.len + JSON_PADDING);
	for (const char *p = json.ptr; p < end; p++) { /* no line feed stands in a string */
		if (*p != '\n' && *p != '\r') {
			*to++ = *p;
			continue;
		}
		while (p + 1 < end && (p[1] == ' ' || p[1] == '\t' || p[1] == '\n' || p[1] == '\r'))
			p++;
	}
	line->len = (size_t)(to - line->ptr);
	memset(to, 0, JSON_PADDING);
	return true;
}
