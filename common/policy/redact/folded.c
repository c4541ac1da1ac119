#include "policy/redact/folded.h"

#include "json/bytes.h"
#include "policy/secret/alphabet.h"

/* U+00AD, U+200B to U+200D, U+2060 and U+FEFF. */
static const struct str widthless[] = {STR_INIT("\xc2\xad"), STR_INIT("\xe2\x80\x8b"),
    STR_INIT("\xe2\x80\x8c"), STR_INIT("\xe2\x80\x8d"), STR_INIT("\xe2\x81\xa0"),
    STR_INIT("\xef\xbb\xbf")};

/* The length of the character without width at p; 0 when there is none. */
static size_t
widthless_len(const char *p, const char *end)
{
	if (*p != '\xc2' && *p != '\xe2' && *p != '\xef')
		return 0;
	for (size_t i = 0; i < sizeof widthless / sizeof widthless[0]; i++)
		if (str_has_prefix(str_of(p, (size_t)(end - p)), widthless[i]))
			return widthless[i].len;
	return 0;
}

/* The byte that the escape at p stands for; '\0' when there is none that is decoded. */
static char
escaped_byte(const char *p, const char *end)
{
	unsigned byte;

	if (*p != '%' || end - p < 3 || !alphabet_has(ALPHABET_HEX, p[1]) ||
	    !alphabet_has(ALPHABET_HEX, p[2]))
		return '\0';
	byte = 16 * json_byte_hex(p[1]) + json_byte_hex(p[2]);
	return byte >= ' ' && byte < 0x7f ? (char)byte : '\0';
}

static const char *
pass_widthless(const char *p, const char *end)
{
	for (size_t len; p < end && (len = widthless_len(p, end)) > 0;)
		p += len;
	return p;
}

static bool
has_any(struct str bytes)
{
	const char *end = bytes.ptr + bytes.len;

	for (const char *p = bytes.ptr; p < end; p++)
		if ((unsigned char)*p >= 0x80 ? widthless_len(p, end) > 0 :
						*p == '%' && escaped_byte(p, end) != '\0')
			return true;
	return false;
}

void
folded_open(struct folded *folded, struct str bytes)
{
	const char *end = bytes.ptr + bytes.len;

	folded->text = bytes;
	folded->from = bytes.ptr;
	folded->end = end;
	folded->at = 0;
	buf_reset(&folded->buf);
	if (!has_any(bytes))
		return;
	for (const char *p = pass_widthless(bytes.ptr, end); p < end; p = pass_widthless(p, end)) {
		char byte = escaped_byte(p, end);

		buf_add_char(&folded->buf, byte != '\0' ? byte : *p);
		p += byte != '\0' ? 3 : 1;
	}
	buf_pad(&folded->buf);
	folded->text = buf_str(&folded->buf);
}

/* Goes on to a place of the text. */
static void
move(struct folded *folded, const char *p)
{
	size_t at = (size_t)(p - folded->text.ptr);

	while (folded->at < at) {
		folded->from = pass_widthless(folded->from, folded->end);
		folded->from += escaped_byte(folded->from, folded->end) != '\0' ? 3 : 1;
		folded->at++;
	}
}

struct str
folded_origin(struct folded *folded, const char *start, const char *end)
{
	const char *from;

	if (folded->buf.len == 0)
		return str_of(start, (size_t)(end - start));
	move(folded, start);
	from = pass_widthless(folded->from, folded->end);
	move(folded, end);
	return str_of(from, (size_t)(folded->from - from));
}

void
folded_free(struct folded *folded)
{
	buf_free(&folded->buf);
}
