#include "policy/outline/outline_earlier.h"

#include "data/archive/archive.h"
#include "policy/outline/outline_call.h"
#include "policy/outline/outline_said.h"

static enum outline_kind
kind_of(struct str line)
{
	for (unsigned kind = OUTLINE_KINDS; kind-- > 0;)
		if (outline_mark[kind].len > 0 && str_has_prefix(line, outline_mark[kind]))
			return (enum outline_kind)kind;
	return OUTLINE_CALL;
}

/* Takes the digits of a key in front of a line off it, if there are some. */
static struct str
take_key(struct str *line)
{
	size_t len = 0;

	while (len < line->len && memchr("0123456789abcdef", line->ptr[len], 16) != NULL)
		len++;
	if ((len != OUTLINE_KEY_SHORT && len != ARCHIVE_KEY_SHORT) || len == line->len ||
	    line->ptr[len] != ' ')
		return STR("");
	*line = str_of(line->ptr + len + 1, line->len - len - 1);
	return str_of(line->ptr - len - 1, len);
}

/* What the line of an earlier call is worth: one that only looked is worth less. */
static uint8_t
earlier_call_value(struct str line)
{
	struct str name = tool_op_name(TOOL_READ);
	bool looked = str_has_prefix(line, STR("$ ")) ?
	    outline_call_reads(str_of(line.ptr + 2, line.len - 2)) :
	    str_has_prefix(line, name) && line.len > name.len && line.ptr[name.len] == ' ';

	return looked ? OUTLINE_LOOKED : OUTLINE_DONE;
}

/* What the line is worth, behind so many others of its message. */
static uint8_t
value_of(enum outline_kind kind, struct str line, uint32_t before)
{
	static const uint8_t values[OUTLINE_KINDS] = {OUTLINE_WORDS, 0, 0, 150, 135, 85, 110};

	return kind == OUTLINE_CALL ? earlier_call_value(line) :
	    kind == OUTLINE_SAID    ? (uint8_t)outline_said_value(line, before) :
				      values[kind];
}

void
outline_earlier_add(struct outline *outline, struct str text, uint64_t count)
{
	struct str message = STR(""); /* the key of the newest line */
	uint32_t before = 0;          /* lines said of its message */
	size_t start = text.len;

	for (; count > 0 && start > 0; count--) {
		const char *lf = memrchr(text.ptr, '\n', start);

		start = lf != NULL ? (size_t)(lf - text.ptr) : 0;
	}
	text = str_of(text.ptr + start, text.len - start);
	while (text.len > 0) {
		struct str line = str_take_line(&text), key = take_key(&line);
		enum outline_kind kind = kind_of(line);
		struct outline_again made = {.more = 0};
		struct str mark = outline_mark[kind];

		if (kind == OUTLINE_CALL)
			made = outline_again_take(&line);
		if (key.len > 0)
			key = outline_key(outline, key);
		if (line.len <= mark.len)
			continue;
		line = str_of(line.ptr + mark.len, line.len - mark.len);
		before = kind == OUTLINE_SAID && str_eq(key, message) ? before : 0;
		message = key;
		outline_add(outline,
		    (struct outline_line){.key = kind <= OUTLINE_CALL ? key : STR(""),
			.text = line,
			.kind = (uint8_t)kind,
			.value = value_of(kind, line, before++),
			.made = made});
	}
}
