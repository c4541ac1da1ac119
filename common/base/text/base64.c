#include "base/text/base64.h"

#include "base/byte.h"

enum { DIGIT_BITS = 6, FILL_MOST = 2 };

/* The value of a digit, or -1. */
static int
digit_of(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (byte_is_digit(c))
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

size_t
base64_digits(struct str text)
{
	size_t len = text.len, digits = 0;

	while (len > 0 && text.len - len < FILL_MOST && text.ptr[len - 1] == '=')
		len--;
	while (digits < len && digit_of(text.ptr[digits]) >= 0)
		digits++;
	return digits == len && digits % 4 != 1 ? digits : 0;
}

bool
base64_decode(struct str text, struct buf *bytes)
{
	size_t digits = base64_digits(text);
	uint32_t bits = 0;
	unsigned count = 0;

	for (size_t i = 0; i < digits; i++) {
		bits = bits << DIGIT_BITS | (uint32_t)digit_of(text.ptr[i]);
		count += DIGIT_BITS;
		if (count >= 8) {
			count -= 8;
			buf_add_char(bytes, (char)(bits >> count & 0xff));
		}
	}
	return digits > 0;
}
