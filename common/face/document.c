#include "face/document.h"

#include "json/scan.h"

/* Whether the line is the beginning of a JSON text, cut between two tokens. */
static bool
is_beginning(const struct line *line)
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

/* Copies json without line feeds and the indentation behind them: inside strings stand none. */
static void
unfold(struct str json, struct buf *text)
{
	const char *end = json.ptr + json.len;
	char *to;

	buf_reset(text);
	to = buf_reserve(text, json.len + JSON_PADDING);
	for (const char *p = json.ptr; p < end; p++) {
		if (*p != '\n' && *p != '\r') {
			*to++ = *p;
			continue;
		}
		while (p + 1 < end && (p[1] == ' ' || p[1] == '\t' || p[1] == '\n' || p[1] == '\r'))
			p++;
	}
	text->len = (size_t)(to - text->ptr);
	memset(to, 0, JSON_PADDING);
}

bool
document_join(struct input *in, struct line *line, struct message *message, struct buf *text)
{
	struct message bad = *message;
	struct json_scan scan;

	if (!is_beginning(line) || !input_join(in, line))
		return false;
	if (!json_scan(line->text, NULL, &scan)) {
		input_split(in, line);
		*message = bad;
		return false;
	}
	unfold(str_trim(line->text), text);
	line->raw = line->text = buf_str(text);
	message_parse(message, line->text);
	return true;
}
