#ifndef JSON_BYTES_H
#define JSON_BYTES_H

/*
 * Single bytes and short sequences of the JSON grammar. Only modules of json/ include this.
 */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/byte.h"
#include "base/text/utf8.h"

/* A word of eight bytes that all have that value. */
#define JSON_EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* The value of the hexadecimal digit c; more than 15 when c is no such digit. */
static inline unsigned
json_byte_hex(char c)
{
	unsigned digit = (unsigned char)(c - '0');
	unsigned letter = (unsigned char)((c | 0x20) - 'a');

	return digit < 10 ? digit : letter < 6 ? letter + 10 : 16;
}

/* The number of the four hexadecimal digits at p; more than 0xffff when one is no such digit. */
static inline unsigned
json_hex4(const char *p)
{
	unsigned a = json_byte_hex(p[0]), b = json_byte_hex(p[1]);
	unsigned c = json_byte_hex(p[2]), d = json_byte_hex(p[3]);

	return (a | b | c | d) > 15 ? 0x10000 : a << 12 | b << 8 | c << 4 | d;
}

/* The code point of the \u escape at *p, or of the surrogate pair of two escapes at *p; U+FFFD for
 * a lone surrogate. Moves *p to the end of the bytes that were read. */
static inline unsigned
json_unicode(const char **p, const char *end)
{
	unsigned high = json_hex4(*p + 2), low;

	*p += 6;
	if (high < 0xd800 || high > 0xdfff)
		return high;
	if (high > 0xdbff || end - *p < 6 || (*p)[0] != '\\' || (*p)[1] != 'u')
		return 0xfffd;
	low = json_hex4(*p + 2);
	if (low < 0xdc00 || low > 0xdfff)
		return 0xfffd;
	*p += 6;
	return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

/* By how many bytes the escape at *p, or the pair of two escapes, is longer than its code point in
 * UTF-8. Moves *p to the end of the bytes that were read. */
static inline size_t
json_unicode_excess(const char **p, const char *end)
{
	const char *start = *p;
	unsigned code = json_unicode(p, end);
	unsigned len = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

	return (size_t)(*p - start) - len;
}

/* Writes the code point to the memory at to, in UTF-8. Returns the number of bytes, 1 to 4. */
static inline unsigned
json_encode_utf8(unsigned code, char *to)
{
	if (code < 0x80) {
		to[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		to[0] = (char)(0xc0 | code >> 6);
		to[1] = (char)(0x80 | (code & 0x3f));
		return 2;
	}
	if (code < 0x10000) {
		to[0] = (char)(0xe0 | code >> 12);
		to[1] = (char)(0x80 | (code >> 6 & 0x3f));
		to[2] = (char)(0x80 | (code & 0x3f));
		return 3;
	}
	to[0] = (char)(0xf0 | code >> 18);
	to[1] = (char)(0x80 | (code >> 12 & 0x3f));
	to[2] = (char)(0x80 | (code >> 6 & 0x3f));
	to[3] = (char)(0x80 | (code & 0x3f));
	return 4;
}

/* Decodes the escape at *p into at most 4 bytes, and moves *p to the end of the escape. Returns the
 * number of decoded bytes. */
static inline unsigned
json_decode_escape(const char **p, const char *end, char *to)
{
	static const char plain[256] = {['"'] = '"',
	    ['\\'] = '\\',
	    ['/'] = '/',
	    ['b'] = '\b',
	    ['f'] = '\f',
	    ['n'] = '\n',
	    ['r'] = '\r',
	    ['t'] = '\t'};

	if ((*p)[1] == 'u')
		return json_encode_utf8(json_unicode(p, end), to);
	to[0] = plain[(unsigned char)(*p)[1]];
	*p += 2;
	return 1;
}

/* The eight bytes at p as a word; the first byte is the lowest. */
static inline uint64_t
json_load64(const char *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

/* A word with the top bit set in each byte that is zero in word. Only the lowest bit that is set is
 * certain; bits above it may be wrong. */
static inline uint64_t
json_zero_bytes(uint64_t word)
{
	return (word - JSON_EACH(0x01)) & ~word & JSON_EACH(0x80);
}

/* The length of the escape whose backslash is at p, or 0 when it is no valid escape. Reads up to 6
 * bytes. */
static inline unsigned
json_escape_len(const char *p)
{
	switch (p[1]) {
	case '"':
	case '\\':
	case '/':
	case 'b':
	case 'f':
	case 'n':
	case 'r':
	case 't':
		return 2;
	case 'u':
		return json_hex4(p + 2) > 0xffff ? 0 : 6;
	default:
		return 0;
	}
}

/* A word with the top bit set in the lowest byte of word that is not ASCII, or that must be escaped
 * in a string, or is a backslash; bits above may be wrong. */
static inline uint64_t
json_special_bytes(uint64_t word)
{
	return ((word | ((word - JSON_EACH(0x20)) & ~word)) & JSON_EACH(0x80)) |
	    json_zero_bytes(word ^ JSON_EACH('"')) | json_zero_bytes(word ^ JSON_EACH('\\'));
}

/* A word that has all len bytes at p, some of them more than once; len is 1 to 8. */
static inline uint64_t
json_load_some(const char *p, size_t len)
{
	uint32_t low, high;

	if (len >= 4) {
		memcpy(&low, p, 4);
		memcpy(&high, p + len - 4, 4);
	} else {
		low = (unsigned char)p[0] * 0x01010101u;
		high = (unsigned char)p[len / 2] * 0x01010100u | (unsigned char)p[len - 1];
	}
	return (uint64_t)high << 32 | low;
}

/* The end of the run of bytes at p that are ASCII and are not escaped in a string. */
static inline const char *
json_skip_plain(const char *p, const char *end)
{
	for (; end - p >= 8; p += 8) {
		uint64_t special = json_special_bytes(json_load64(p));

		if (special != 0)
			return p + __builtin_ctzll(special) / 8;
	}
	if (p < end && json_special_bytes(json_load_some(p, (size_t)(end - p))) == 0)
		return end;
	while (p < end && (unsigned char)*p >= 0x20 && (unsigned char)*p < 0x80 && *p != '"' &&
	    *p != '\\')
		p++;
	return p;
}

#endif
