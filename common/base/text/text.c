#include "base/text/text.h"

#include "base/byte.h"
#include "base/text/utf8.h"
#include "base/text/visible.h"

struct text_range {
	uint32_t first;
	uint32_t last;
};

#include "base/text/text_width.inc"

void
text_add_visible(struct buf *buf, struct str text)
{
	const char *p = text.ptr, *end = text.len > 0 ? p + text.len : p; /* p may be NULL */

	while (p < end) {
		size_t len = visible_ascii(str_of(p, (size_t)(end - p)));

		buf_add(buf, p, len);
		p += len;
		if (p < end)
			buf->len += visible_next(&p, end, buf_reserve(buf, VISIBLE_MAX));
	}
}

static bool
is_in(const struct text_range *range, size_t count, uint32_t code)
{
	size_t first = 0;

	while (count > 0) {
		size_t half = count / 2;

		if (code > range[first + half].last) {
			first += half + 1;
			count -= half + 1;
		} else if (code < range[first + half].first) {
			count = half;
		} else {
			return true;
		}
	}
	return false;
}

static unsigned
columns_of(uint32_t code)
{
	if (code < narrowest[0].first)
		return 1;
	if (is_in(narrowest, ARRAY_COUNT(narrowest), code))
		return 0;
	return is_in(widest, ARRAY_COUNT(widest), code) ? 2 : 1;
}

/* Finds the longest start of text that takes at most *columns. Returns its end, and sets *columns
 * to the number that it takes. */
static const char *
measure(struct str text, size_t *columns)
{
	const char *p = text.ptr, *end = text.len > 0 ? p + text.len : p; /* p may be NULL */
	size_t taken = 0;

	while (p < end) {
		unsigned len = utf8_len_within(p, end);
		unsigned wide = len > 0 ? columns_of(utf8_code(p, len)) : 1;

		if (wide > *columns - taken)
			break;
		taken += wide;
		p += len > 0 ? len : 1;
	}
	*columns = taken;
	return p;
}

size_t
text_columns(struct str visible)
{
	size_t columns = SIZE_MAX;

	measure(visible, &columns);
	return columns;
}

struct str
text_fit(struct str visible, size_t columns)
{
	return str_of(visible.ptr, (size_t)(measure(visible, &columns) - visible.ptr));
}

bool
text_has_letter(struct str text)
{
	for (size_t i = 0; i < text.len; i++)
		if (byte_is_letter(text.ptr[i]) || (text.ptr[i] & 0x80) != 0)
			return true;
	return false;
}

struct str
text_squeeze(char *text, size_t len)
{
	size_t to = 0;

	for (size_t i = 0; i < len; i++)
		if (!byte_is_blank(text[i]))
			text[to++] = text[i];
		else if (to > 0 && text[to - 1] != ' ')
			text[to++] = ' ';
	to -= to > 0 && text[to - 1] == ' ';
	return str_of(text, to);
}
