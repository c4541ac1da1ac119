#include "face/input/values.h"

#include "dialects/request/chat.h"

static size_t
skip_blanks(struct str bytes, size_t at)
{
	while (at < bytes.len &&
	    (bytes.ptr[at] == ' ' || bytes.ptr[at] == '\t' || bytes.ptr[at] == '\r'))
		at++;
	return at;
}

/* Where the value begins in the bytes at hand: after a byte order mark. */
static size_t
find_value(const struct input *in, struct str bytes)
{
	return in->file_start && str_has_prefix(bytes, input_bom) ? input_bom.len : 0;
}

/* Hands out the first len bytes at hand. value is their value, which is in values->unfolded on one
 * line: that line is the record. */
static void
take_unfolded(struct values *values, struct input *in, struct str bytes, size_t len,
    struct str value, struct record *record)
{
	struct line *line = &record->line;
	size_t line_number = in->line_number + 1;

	for (const char *p = bytes.ptr; p < value.ptr; p++)
		line_number += *p == '\n';
	input_take_lines(in, line, len);
	line->raw = line->text = buf_str(&values->unfolded);
	line->number = line_number;
	record->state = RECORD_ADDED;
	record->block = NULL;
	line->is_folded = !str_is_one_line(value);
	if (line->is_folded && values->folded++ == 0)
		values->folded_line = (struct line){.file = line->file, .number = line_number};
}

/* The length of the bytes up to len, the end of a value, and of the rest of its line when that is
 * blank. */
static size_t
line_end(struct str bytes, size_t len)
{
	len = skip_blanks(bytes, len);
	return len + (len < bytes.len && bytes.ptr[len] == '\n');
}

/* Hands out the first len bytes at hand, which end with a value, and the blanks after it. */
static void
take_value(
    struct values *values, struct input *in, struct str bytes, size_t len, struct record *record)
{
	struct str value = str_trim(str_of(bytes.ptr, len));

	len = line_end(bytes, len);
	values->last = in->operand_next;
	document_init(&values->document);
	if (values->keeps_lines || str_is_one_line(str_of(bytes.ptr, len - 1)))
		input_take_lines(in, &record->line, len); /* a line like others */
	else
		take_unfolded(values, in, bytes, len, value, record);
}

/* Takes the next value over several lines. Returns false when it is not at hand, or there is none:
 * then is_folded is not set, and lines are taken one by one. */
static bool
take_folded(struct values *values, struct input *in, struct record *record)
{
	bool is_last;
	struct str bytes = input_at_hand(in, &is_last);
	size_t start = find_value(in, bytes);
	struct str rest = str_of(bytes.ptr + start, bytes.len - start);
	enum document_state state;

	if (bytes.len == 0 && !is_last)
		return false;
	state = document_read(&values->document, rest);
	if (state != DOCUMENT_BROKEN && !is_last && rest.len <= in->line_max &&
	    skip_blanks(rest, values->document.at) == rest.len)
		return false; /* the value continues, or its line does */
	if (state == DOCUMENT_WHOLE && values->document.at <= in->line_max &&
	    document_unfold(str_of(rest.ptr, values->document.at), &values->unfolded)) {
		take_value(values, in, bytes, start + values->document.at, record);
		return true;
	}
	values->is_folded = false;
	return false;
}

/* Whether the operand, of which nothing was taken, begins with an array; it is open then. */
static bool
begins_array(struct values *values, struct input *in)
{
	bool is_last;
	struct str bytes = input_at_hand(in, &is_last);
	size_t start = find_value(in, bytes);

	if (!in->file_start || bytes.len <= start || values->searched == in->operand_next)
		return false;
	values->searched = in->operand_next;
	return array_open(&values->array, str_of(bytes.ptr + start, bytes.len - start));
}

/* Takes the next element of an array. Returns false when it is not at hand, or cannot be read: then
 * the array is closed, and the rest of it is read like any other input. */
static bool
take_element(struct values *values, struct input *in, struct record *record)
{
	bool is_first = values->array.is_first, is_last;
	struct str value, bytes = input_at_hand(in, &is_last);
	size_t len, start = find_value(in, bytes);
	struct str rest = str_of(bytes.ptr + start, bytes.len - start);
	enum document_state state = array_next(&values->array, rest, &value, &len);

	if (state == DOCUMENT_MORE && !is_last && rest.len <= in->line_max)
		return false;
	values->array.is_open = state == DOCUMENT_ELEMENT;
	if (state == DOCUMENT_MORE || state == DOCUMENT_BROKEN || value.len > in->line_max ||
	    !document_unfold(value, &values->unfolded) ||
	    (is_first && !chat_is_session(json_value_at(values->unfolded.ptr)))) {
		values->array.is_open = false;
		return false;
	}
	len += start;
	values->last = in->operand_next;
	take_unfolded(
	    values, in, bytes, state == DOCUMENT_WHOLE ? line_end(bytes, len) : len, value, record);
	return true;
}

static enum values_state
next_folded(struct values *values, struct input *in, struct record *record)
{
	if (values->is_folded && take_folded(values, in, record))
		return VALUES_TAKEN;
	return values->is_folded ? VALUES_WAIT : VALUES_NONE;
}

enum values_state
values_next(struct values *values, struct input *in, struct record *record)
{
	if (!values->is_used)
		return VALUES_NONE;
	if (values->array.is_open || (!values->keeps_lines && begins_array(values, in))) {
		if (take_element(values, in, record))
			return VALUES_TAKEN;
		if (values->array.is_open)
			return VALUES_WAIT;
	}
	return next_folded(values, in, record);
}

enum values_state
values_begin(struct values *values, struct input *in, struct record *record, bool is_first)
{
	struct line *line = &record->line;
	enum values_state state;

	/* After values over several lines, the next one is not indented. */
	if (!values->is_used ||
	    !(is_first ||
		(values->last == in->operand_next && line->raw.len > 0 &&
		    (line->raw.ptr[0] == '{' || line->raw.ptr[0] == '['))) ||
	    !document_begins(line))
		return VALUES_NONE;
	input_take_back(in, line);
	document_init(&values->document);
	values->is_folded = true;
	state = next_folded(values, in, record);
	if (state == VALUES_NONE)
		input_next(in, line);
	return state;
}
