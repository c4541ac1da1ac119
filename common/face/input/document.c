#include "face/input/document.h"

#include "base/byte.h"
#include "json/bytes.h"
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

/* What may come next between two tokens. */
enum token {
	TOKEN_VALUE,
	TOKEN_VALUE_OR_END, /* after [ */
	TOKEN_NAME,
	TOKEN_NAME_OR_END, /* after { */
	TOKEN_COLON,
	TOKEN_COMMA_OR_END, /* after a value */
};

void
document_init(struct document *document)
{
	*document = (struct document){.expected = TOKEN_VALUE};
}

static bool
is_in_object(const struct document *document)
{
	unsigned level = document->depth - 1;

	return (document->is_object[level / 64] >> level % 64 & 1) != 0;
}

static bool
expects_value(const struct document *document)
{
	return document->expected == TOKEN_VALUE || document->expected == TOKEN_VALUE_OR_END;
}

static bool
open_level(struct document *document, bool is_object)
{
	unsigned level = document->depth;

	if (!expects_value(document) || level == JSON_DEPTH_MAX)
		return false;
	document->is_object[level / 64] &= ~(UINT64_C(1) << level % 64);
	document->is_object[level / 64] |= (uint64_t)is_object << level % 64;
	document->depth++;
	document->expected = is_object ? TOKEN_NAME_OR_END : TOKEN_VALUE_OR_END;
	return true;
}

static bool
close_level(struct document *document, bool is_object)
{
	if (document->depth == 0 || is_in_object(document) != is_object ||
	    (document->expected != TOKEN_COMMA_OR_END &&
		document->expected != (is_object ? TOKEN_NAME_OR_END : TOKEN_VALUE_OR_END)))
		return false;
	document->depth--;
	document->expected = TOKEN_COMMA_OR_END;
	return true;
}

/* Reads the byte c, which is no white space, between two tokens. Returns false when it is not
 * allowed here. */
static bool
read_token(struct document *document, char c)
{
	switch (c) {
	case '{':
	case '[':
		return open_level(document, c == '{');
	case '}':
	case ']':
		return close_level(document, c == '}');
	case '"':
		document->is_name =
		    document->expected == TOKEN_NAME || document->expected == TOKEN_NAME_OR_END;
		document->is_string = document->is_name || expects_value(document);
		return document->is_string;
	case ',':
		if (document->depth == 0 || document->expected != TOKEN_COMMA_OR_END)
			return false;
		document->expected = is_in_object(document) ? TOKEN_NAME : TOKEN_VALUE;
		return true;
	case ':':
		if (document->expected != TOKEN_COLON)
			return false;
		document->expected = TOKEN_VALUE;
		return true;
	default:
		document->is_scalar = document->depth > 0 && expects_value(document);
		document->expected = TOKEN_COMMA_OR_END;
		return document->is_scalar;
	}
}

/* Reads on in a string. Returns false at a control character, which no string has. */
static bool
read_string(struct document *document, struct str text)
{
	while (document->at < text.len) {
		const char *end = text.ptr + text.len;
		char c;

		if (!document->is_escaped)
			document->at =
			    (size_t)(json_skip_plain(text.ptr + document->at, end) - text.ptr);
		if (document->at == text.len)
			break;
		c = text.ptr[document->at++];
		if ((unsigned char)c < ' ')
			return false;
		if (document->is_escaped) {
			document->is_escaped = false;
		} else if (c == '\\') {
			document->is_escaped = true;
		} else if (c == '"') {
			document->is_string = false;
			document->expected = document->is_name ? TOKEN_COLON : TOKEN_COMMA_OR_END;
			return true;
		}
	}
	return true;
}

enum document_state
document_read(struct document *document, struct str text)
{
	if (document->depth == 0 && document->at > 0 && document->expected == TOKEN_COMMA_OR_END)
		return DOCUMENT_WHOLE;
	while (document->at < text.len) {
		char c = text.ptr[document->at];

		if (document->is_string) {
			if (!read_string(document, text))
				return DOCUMENT_BROKEN;
			continue;
		}
		document->at++;
		if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
			document->is_scalar = false;
			continue;
		}
		if (document->is_scalar && strchr(",:{}[]\"", c) == NULL)
			continue;
		document->is_scalar = false;
		if (!read_token(document, c))
			return DOCUMENT_BROKEN;
		if (document->depth == 0)
			return DOCUMENT_WHOLE;
		if (c == ',' && document->by_element && document->depth == 1 &&
		    !is_in_object(document))
			return DOCUMENT_ELEMENT;
	}
	return DOCUMENT_MORE;
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
	for (const char *p = json.ptr, *stop; p < end; p = stop) { /* no string has a line feed */
		stop = str_find_break(str_of(p, (size_t)(end - p)));
		memcpy(to, p, (size_t)(stop - p));
		to += stop - p;
		while (stop < end && byte_is_blank(*stop))
			stop++;
	}
	line->len = (size_t)(to - line->ptr);
	memset(to, 0, JSON_PADDING);
	return true;
}
