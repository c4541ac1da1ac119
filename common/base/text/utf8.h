#ifndef TEXT_UTF8_H
#define TEXT_UTF8_H

/*
 * UTF-8 as RFC 3629 defines it: one to four bytes a code point, none overlong, no surrogates.
 */

#include <stdint.h>

#include "base/str.h"

/* The length of the sequence at p, or 0 when the sequence is ill-formed. Reads up to 4 bytes. */
static inline unsigned
utf8_len(const char *p)
{
	const unsigned char *s = (const unsigned char *)p;

	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc2 || (s[1] & 0xc0) != 0x80)
		return 0;
	if (s[0] < 0xe0)
		return 2;
	if ((s[2] & 0xc0) != 0x80)
		return 0;
	if (s[0] < 0xf0) /* neither overlong nor a surrogate */
		return (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ? 0 : 3;
	if (s[0] > 0xf4 || (s[3] & 0xc0) != 0x80)
		return 0;
	return (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f) ? 0 : 4;
}

/* The same, but reads no byte at or after end; p is before end. */
static inline unsigned
utf8_len_within(const char *p, const char *end)
{
	char bytes[4] = {0};

	if (end - p >= 4)
		return utf8_len(p);
	memcpy(bytes, p, (size_t)(end - p));
	return utf8_len(bytes);
}

/* The code point of the well-formed sequence of len bytes at p. */
static inline uint32_t
utf8_code(const char *p, unsigned len)
{
	static const unsigned char lead[5] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	uint32_t code = (unsigned char)*p & lead[len];

	for (unsigned i = 1; i < len; i++)
		code = code << 6 | ((unsigned char)p[i] & 0x3fu);
	return code;
}

/* The offset of the first sequence in text that is ill-formed; the length of text when there is
 * none. */
static inline size_t
utf8_valid(struct str text)
{
	size_t at = 0;

	while (at < text.len) {
		unsigned len = utf8_len_within(text.ptr + at, text.ptr + text.len);

		if (len == 0)
			break;
		at += len;
	}
	return at;
}

/* The text without the byte order mark at its start, if there is one. */
static inline struct str
utf8_unmarked(struct str text)
{
	const struct str mark = STR_INIT("\xef\xbb\xbf");

	if (!str_has_prefix(text, mark))
		return text;
	return str_of(text.ptr + mark.len, text.len - mark.len);
}

/* Whether c is a trail byte: a byte of a sequence, but not the first one. */
static inline bool
utf8_continues(char c)
{
	return (c & 0xc0) == 0x80;
}

/* The number of code points in text, which is valid. */
static inline size_t
utf8_count(struct str text)
{
	size_t count = 0;

	for (size_t i = 0; i < text.len; i++)
		count += !utf8_continues(text.ptr[i]);
	return count;
}

/* The end of the run of characters outside ASCII at p. The run ends before the first byte that is
 * ASCII, or that begins a sequence which is ill-formed or cut off by end. */
static inline const char *
utf8_skip(const char *p, const char *end)
{
	while (p < end && (unsigned char)*p >= 0x80) {
		unsigned len = utf8_len_within(p, end);

		if (len == 0)
			break;
		p += len;
	}
	return p;
}

/* The last boundary between code points in text at or before offset at, which is at most the length
 * of text. */
static inline size_t
utf8_floor(struct str text, size_t at)
{
	while (at > 0 && at < text.len && utf8_continues(text.ptr[at]))
		at--;
	return at;
}

/* The longest start of text that has at most that many bytes and cuts no code point. */
static inline struct str
utf8_start(struct str text, size_t most)
{
	return text.len <= most ? text : str_of(text.ptr, utf8_floor(text, most));
}

/* The first boundary between code points in text at or after offset at. */
static inline size_t
utf8_ceil(struct str text, size_t at)
{
	while (at < text.len && utf8_continues(text.ptr[at]))
		at++;
	return at;
}

/* The offset after the first count code points of text; the length of text when it has fewer. */
static inline size_t
utf8_after(struct str text, size_t count)
{
	size_t at = 0;

	while (at < text.len && count-- > 0)
		at = utf8_ceil(text, at + 1);
	return at;
}

#endif
