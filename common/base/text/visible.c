#include "base/text/visible.h"

#include "base/text/utf8.h"

/* The code points that are written as escapes. Bytes that are not UTF-8 are escaped, too. */
static const struct hidden_range {
	uint32_t first;
	uint32_t last;
} hidden[] = {
    {0x00, 0x1f},       /* C0 */
    {0x7f, 0x9f},       /* DEL, C1 */
    {0x61c, 0x61c},     /* ARABIC LETTER MARK */
    {0x200b, 0x200f},   /* zero-width space and joiners, marks of direction */
    {0x2028, 0x202e},   /* separators of lines, marks of direction */
    {0x2060, 0x206f},   /* word joiner, invisible operators, marks of direction */
    {0xfeff, 0xfeff},   /* zero-width no-break space, also the byte order mark */
    {0xfff9, 0xfffb},   /* interlinear annotation */
    {0xe0000, 0xe0fff}, /* tags, supplementary variation selectors */
};

static bool
is_hidden(uint32_t code)
{
	size_t i = 0;

	while (i < ARRAY_COUNT(hidden) && code > hidden[i].last)
		i++;
	return i < ARRAY_COUNT(hidden) && code >= hidden[i].first;
}

/* Puts a backslash, the letter, and number in so many hexadecimal digits. Returns the length. */
static unsigned
put_escape(char *to, char letter, uint32_t number, unsigned digits)
{
	static const char hex[] = "0123456789abcdef";

	to[0] = '\\';
	to[1] = letter;
	for (unsigned i = 0; i < digits; i++)
		to[2 + i] = hex[number >> 4 * (digits - 1 - i) & 15];
	return 2 + digits;
}

unsigned
visible_next(const char **p, const char *end, char *to)
{
	const char *at = *p;
	unsigned len = utf8_len_within(at, end);
	uint32_t code = len > 0 ? utf8_code(at, len) : (unsigned char)*at;

	*p = at + (len > 0 ? len : 1);
	if (len == 0)
		return put_escape(to, 'x', code, 2);
	if (is_hidden(code) && code < 0x80)
		return put_escape(to, 'x', code, 2);
	if (is_hidden(code))
		return code > 0xffff ? put_escape(to, 'U', code, 8) : put_escape(to, 'u', code, 4);
	memcpy(to, at, len);
	return len;
}

/* Eight bytes at a time: below 0x80, one under a blank borrows, and DEL is one less than 0x80. */
size_t
visible_ascii(struct str text)
{
	const uint64_t each = UINT64_C(0x0101010101010101);
	size_t at = 0;

	for (uint64_t word; text.len - at >= sizeof word; at += sizeof word) {
		memcpy(&word, text.ptr + at, sizeof word);
		if (((word | (word + each) | (word - each * ' ')) & each << 7) != 0)
			break;
	}
	while (at < text.len && text.ptr[at] >= ' ' && text.ptr[at] < '\x7f')
		at++;
	return at;
}

bool
visible_is(struct str text)
{
	const char *p = text.ptr, *end = text.len > 0 ? p + text.len : p;

	while (p < end) {
		unsigned len;

		p += visible_ascii(str_of(p, (size_t)(end - p)));
		if (p == end)
			break;
		len = utf8_len_within(p, end);
		if (len == 0 || is_hidden(utf8_code(p, len)))
			return false;
		p += len;
	}
	return true;
}
