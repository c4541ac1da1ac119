#include "policy/normalize/torn.h"

enum {
	REACH = 8,       /* bytes between the first byte that cannot follow and a brace */
	DEPTH_MAX = 128, /* of brackets in a torn record */
	TEARS_MAX = 64   /* of one line; each costs a scan of the rest of it */
};

/* The brace that begins the second record, for a text that cannot be read from byte at on; NULL
 * when there is none near. A quote of that record may have ended a string of the first, so the
 * brace may be before the byte. */
static const char *
find_brace(struct str text, size_t at)
{
	size_t start = at > REACH ? at - REACH : 1;
	const char *brace;

	at = at < 1 ? 1 : at < text.len ? at : text.len;
	if (start < at) {
		brace = memrchr(text.ptr + start, '{', at - start);
		if (brace != NULL)
			return brace;
	}
	start = text.len - at < REACH ? text.len - at : REACH;
	return memchr(text.ptr + at, '{', start);
}

/* The object that ends with the text, which is a value that has no end; NULL when there is none. */
static const char *
find_last_object(struct str text)
{
	const char *open[DEPTH_MAX], *last = NULL, *last_end = NULL;
	unsigned depth = 0;
	bool is_string = false;

	for (const char *p = text.ptr; p < text.ptr + text.len; p++) {
		if (is_string && *p == '\\') {
			p++;
		} else if (*p == '"') {
			is_string = !is_string;
		} else if (!is_string && (*p == '{' || *p == '[')) {
			if (depth == DEPTH_MAX)
				return NULL;
			open[depth++] = p;
		} else if (!is_string && (*p == '}' || *p == ']') && depth > 0) {
			last = open[--depth];
			last_end = p + 1;
		}
	}
	return last_end == text.ptr + text.len && *last == '{' ? last : NULL;
}

/* The message that a torn record has taken for a value of its own, where it was cut before one:
 * {"role":{"role":"user",...}. Other objects could not be recognized as messages. */
static struct str
find_inner(struct torn *torn, struct str text)
{
	const char *brace = find_last_object(text);

	if (brace == NULL || brace == text.ptr)
		return str_of(NULL, 0);
	text = str_of(brace, (size_t)(text.ptr + text.len - brace));
	message_parse(&torn->message, text);
	return torn->message.kind == RECORD_MESSAGE ? text : str_of(NULL, 0);
}

/* The record at the end of the line; empty when there is none. */
static struct str
find_record(struct torn *torn, struct str text)
{
	for (int i = 0; i < TEARS_MAX && text.len > 0; i++) {
		const char *brace;

		message_parse(&torn->message, text);
		if (torn->message.kind != RECORD_BAD)
			return text;
		if (torn->message.error_at >= text.len)
			return find_inner(torn, text);
		brace = find_brace(text, torn->message.error_at);
		if (brace == NULL)
			break;
		text = str_of(brace, (size_t)(text.ptr + text.len - brace));
	}
	return str_of(NULL, 0);
}

/* Parts the record found, with which the text of record ends, from it, and emits both. What is left
 * of record may be whole, or end with a message, too. */
static void
part(struct torn *torn, struct record *record, struct str found)
{
	struct line *line = &record->line;
	struct record rest = *record;

	rest.line.text = found;
	rest.line.raw = str_of(found.ptr, (size_t)(line->raw.ptr + line->raw.len - found.ptr));
	line->raw.len -= rest.line.raw.len;
	line->text.len -= found.len;
	if (line->text.len > 0) {
		found = find_record(torn, line->text);
		if (found.len > 0)
			part(torn, record, found);
		else
			stage_emit(&torn->stage, record);
	}
	message_parse(&torn->message, rest.line.text);
	rest.kind = torn->message.kind;
	rest.state = RECORD_ADDED;
	rest.message = &torn->message;
	stage_emit(&torn->stage, &rest);
}

static void
take(struct stage *stage, struct record *record)
{
	struct torn *torn = (struct torn *)stage;
	struct str found = str_of(NULL, 0);

	if (record->kind == RECORD_BAD && !record->line.more && !record->line.continued)
		found = find_record(torn, record->line.text);
	if (found.len == 0) {
		stage_emit(stage, record);
		return;
	}
	torn->mended++;
	part(torn, record, found);
}

void
torn_init(struct torn *torn)
{
	*torn = (struct torn){.stage = {.take = take, .end = stage_pass_end}};
}
