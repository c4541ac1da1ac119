#include "data/line_number.h"

#include "base/byte.h"
#include "base/number.h"
#include "data/message/source_record.h"

/* Removes digits from the start of the text. Returns whether they are a number of at least 1. Sets
 * *number to the number, or to most when the number is greater. */
static bool
take_digits(struct str *text, uint64_t most, uint64_t *number)
{
	size_t i = 0;

	for (*number = 0; i < text->len && byte_is_digit(text->ptr[i]); i++)
		*number = number_least(*number * 10 + (uint64_t)(text->ptr[i] - '0'), most);
	*text = str_rest(*text, i);
	return *number > 0;
}

bool
line_number_read(struct str text, bool is_last, uint64_t *number)
{
	const uint64_t parts = (UINT64_C(1) << LINE_NUMBER_PART_BITS) - 1;
	const uint64_t lines = UINT64_MAX >> LINE_NUMBER_PART_BITS;
	uint64_t line, part = is_last ? parts : 1;
	bool is_right = take_digits(&text, lines, &line);

	if (str_has_prefix(text, STR("."))) {
		text = str_rest(text, 1);
		is_right = is_right && take_digits(&text, parts, &part);
	}
	is_right = is_right && text.len == 0;
	if (is_right)
		*number = line << LINE_NUMBER_PART_BITS | part;
	return is_right;
}

uint64_t
line_number_of_source(const struct message *message)
{
	struct json_value source = json_find(message->metadata, STR("source"));
	struct str text = source.type == JSON_STRING ? json_inner(source) : json_span(source);
	uint64_t number = 0;

	if (source_record_is_line(source))
		line_number_read(text, false, &number);
	return number;
}

void
line_number_add(struct buf *buf, uint64_t number)
{
	uint64_t line = number >> LINE_NUMBER_PART_BITS;
	uint64_t part = number - (line << LINE_NUMBER_PART_BITS);

	buf_add_fmt(buf, "%ju", (uintmax_t)line);
	if (part > 1)
		buf_add_fmt(buf, ".%ju", (uintmax_t)part);
}
