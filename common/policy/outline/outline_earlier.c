#include "policy/outline/outline_earlier.h"

#include "base/number.h"
#include "data/archive/archive.h"
#include "json/string.h"
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

/* Takes the leading digits of a key off a line, if there are any. */
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

/* The value of the line of an earlier call, which is lower if the call only looked. */
static uint8_t
earlier_call_value(struct str line)
{
	struct str name = tool_op_name(TOOL_READ);
	bool looked = str_has_prefix(line, STR("$ ")) ?
	    outline_call_reads(str_of(line.ptr + 2, line.len - 2)) :
	    str_has_prefix(line, name) && line.len > name.len && line.ptr[name.len] == ' ';

	return looked ? OUTLINE_LOOKED : OUTLINE_DONE;
}

/* The value of the line, which has that number of lines of its message before it. */
static uint8_t
value_of(enum outline_kind kind, struct str line, uint32_t before)
{
	static const uint8_t values[OUTLINE_KINDS] = {OUTLINE_WORDS, 0, 0, 150, 135, 85, 110};

	return kind == OUTLINE_CALL ? earlier_call_value(line) :
	    kind == OUTLINE_SAID    ? (uint8_t)outline_said_value(line, before) :
				      values[kind];
}

/* Takes the next message and the number of lines after it; false if there is none. */
static bool
take_message(struct json_walk *walk, uint64_t *place, uint64_t *lines)
{
	struct json_walk pair;

	if (!json_walk_next(walk))
		return false;
	*place = *lines = 0;
	pair = json_walk_list(walk->value);
	if (json_walk_next(&pair))
		*place = json_count(pair.value);
	if (*place > 0 && json_walk_next(&pair))
		*lines = json_count(pair.value);
	return true;
}

void
outline_earlier_open(struct outline_earlier *earlier, struct outline *outline, struct str text,
    struct json_value count, struct json_value behind)
{
	uint64_t wanted = json_count(count), place, lines;
	size_t start = text.len;

	*earlier = (struct outline_earlier){.outline = outline};
	for (; earlier->lines < wanted && start > 0; earlier->lines++) {
		const char *lf = memrchr(text.ptr, '\n', start);

		start = lf != NULL ? (size_t)(lf - text.ptr) : 0;
	}
	earlier->text = str_rest(text, start);
	if (start < text.len && earlier->text.ptr[0] == '\n')
		earlier->text = str_rest(earlier->text, 1);
	earlier->walk = json_walk_of(behind);
	while (take_message(&earlier->walk, &place, &lines))
		earlier->lines -= number_least(lines, earlier->lines);
	earlier->walk = json_walk_of(behind);
}

static void
add_line(struct outline_earlier *earlier, struct str line)
{
	struct outline *outline = earlier->outline;
	struct str key = take_key(&line), mark;
	enum outline_kind kind = kind_of(line);
	struct outline_again made = {.more = 0};
	bool goes_on, is_partial = kind == OUTLINE_USER && str_has_suffix(line, STR(OUTLINE_CUT));

	mark = outline_mark[kind];
	if (kind == OUTLINE_CALL)
		made = outline_again_take(&line);
	if (is_partial)
		line.len -= strlen(OUTLINE_CUT);
	if (key.len > 0)
		key = outline_key(outline, key);
	if (line.len <= mark.len)
		return;
	line = str_rest(line, mark.len);
	goes_on = kind == OUTLINE_SAID && str_eq(key, earlier->message);
	earlier->before = goes_on ? earlier->before : 0;
	earlier->message = key;
	outline_add(outline,
	    (struct outline_line){.key = kind <= OUTLINE_CALL ? key : STR(""),
		.text = line,
		.kind = (uint8_t)kind,
		.value = value_of(kind, line, earlier->before++),
		.made = made,
		.is_long = is_partial,
		.was_partial = is_partial});
}

void
outline_earlier_add(struct outline_earlier *earlier, uint64_t place)
{
	while (earlier->text.len > 0 && earlier->place < place) {
		for (; earlier->lines > 0 && earlier->text.len > 0; earlier->lines--)
			add_line(earlier, str_take_line(&earlier->text));
		if (!take_message(&earlier->walk, &earlier->place, &earlier->lines))
			earlier->lines = UINT64_MAX;
	}
}
