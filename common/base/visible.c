#include "base/visible.h"

#include "base/utf8.h"

static bool
is_hidden(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e ||
	    code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
	    (code >= 0x2066 && code <= 0x2069);
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
	if (is_hidden(code))
		return code < 0x80 ? put_escape(to, 'x', code, 2) : put_escape(to, 'u', code, 4);
	memcpy(to, at, len);
	return len;
}

bool
visible_is(struct str text)
{
	const char *p = text.ptr, *end = text.len > 0 ? p + text.len : p;

	while (p < end) {
		unsigned len;

		if (*p >= ' ' && *p < '\x7f') {
			p++;
			continue;
		}
		len = utf8_len_within(p, end);
		if (len == 0 || is_hidden(utf8_code(p, len)))
			return false;
		p += len;
	}
	return true;
}
