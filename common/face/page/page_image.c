#include "face/page/page_image.h"

#include "base/byte.h"

enum { BASE64_BITS = 6, SIGNATURE = 12 };

/* The first bytes of an image; a dot is any byte. */
static const struct image_type {
	const char *name;
	struct str signature;
} types[] = {
    {"png", STR_INIT("\x89PNG\r\n\x1a\n")},
    {"jpeg", STR_INIT("\xff\xd8\xff")},
    {"gif", STR_INIT("GIF87a")},
    {"gif", STR_INIT("GIF89a")},
    {"webp", STR_INIT("RIFF....WEBP")},
};

/* The value of a digit of base64, or -1. */
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

/* The digits, which are in front of what fills up the last four. 0: it is no base64. */
static size_t
count_digits(struct str base64)
{
	size_t len = base64.len, digits = 0;

	while (len > 0 && base64.len - len < 2 && base64.ptr[len - 1] == '=')
		len--;
	while (digits < len && digit_of(base64.ptr[digits]) >= 0)
		digits++;
	return digits == len && base64.len % 4 == 0 ? digits : 0;
}

static void
decode(struct str digits, struct buf *bytes)
{
	uint32_t bits = 0;
	unsigned count = 0;

	for (size_t i = 0; i < digits.len; i++) {
		bits = bits << BASE64_BITS | (uint32_t)digit_of(digits.ptr[i]);
		count += BASE64_BITS;
		if (count >= 8) {
			count -= 8;
			buf_add_char(bytes, (char)(bits >> count & 0xff));
		}
	}
}

bool
page_image_decode(struct str base64, struct buf *bytes)
{
	size_t digits = count_digits(base64);

	if (digits == 0)
		return false;
	decode(str_of(base64.ptr, digits), bytes);
	return true;
}

static bool
begins_as(struct str bytes, struct str signature)
{
	size_t i = 0;

	if (bytes.len < signature.len)
		return false;
	while (i < signature.len && (signature.ptr[i] == '.' || signature.ptr[i] == bytes.ptr[i]))
		i++;
	return i == signature.len;
}

bool
page_image_add(struct buf *out, struct str base64)
{
	size_t digits = count_digits(base64);
	struct buf first = BUF_INIT;
	const char *type = NULL;

	decode(str_of(base64.ptr, digits < 2 * SIGNATURE ? digits : 2 * SIGNATURE), &first);
	for (size_t i = 0; type == NULL && i < sizeof types / sizeof types[0]; i++)
		if (first.len > 0 && begins_as(buf_str(&first), types[i].signature))
			type = types[i].name;
	if (type != NULL)
		buf_add_fmt(out, "<img alt=image src=\"data:image/%s;base64,%.*s\">\n", type,
		    STR_ARG(base64));
	buf_free(&first);
	return type != NULL;
}
