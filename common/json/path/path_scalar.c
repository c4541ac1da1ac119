/*
 * The path for every machine: eight bytes at a time through plain text, one by one elsewhere.
 */

#include "json/path/path.h"

#define TARGET

/* The end of the run of UTF-8 sequences from p, or NULL when one of them is ill-formed. */
static const char *
skip_utf8(const char *p, const char *end)
{
	while (p < end && (unsigned char)*p >= 0x80) {
		unsigned len = utf8_len(p);

		if (len == 0)
			return NULL;
		p += len;
	}
	return p;
}

static const char *
scan_string(const char *p, const char *end, uint8_t *escaped)
{
	for (p = json_skip_plain(p + 1, end); p < end; p = json_skip_plain(p, end)) {
		unsigned len = 0;

		if (*p == '"')
			return p + 1;
		if ((unsigned char)*p >= 0x80) {
			if ((p = skip_utf8(p, end)) == NULL)
				return NULL;
			continue;
		}
		if (*p != '\\' || (len = json_escape_len(p)) == 0)
			return NULL;
		*escaped |= p[1] == 'u' || p[1] == '/' ? ESCAPED_LONG : 1;
		p += len;
	}
	return NULL;
}

#include "json/path/path_grammar.inc"

static const char *
string_end(const char *p, uint8_t *escaped)
{
	for (p++;; p += 2) {
		uint64_t word = json_load64(p);
		uint64_t special = json_zero_bytes(word ^ JSON_EACH('"'));

		special |= json_zero_bytes(word ^ JSON_EACH('\\'));
		for (; special == 0; word = json_load64(p)) {
			p += 8;
			word = json_load64(p);
			special = json_zero_bytes(word ^ JSON_EACH('"'));
			special |= json_zero_bytes(word ^ JSON_EACH('\\'));
		}
		p += __builtin_ctzll(special) / 8;
		if (*p == '"')
			return p + 1;
		*escaped = 1;
	}
}

static size_t
decode(const char *p, const char *end, char *to)
{
	const char *start = to;

	while (p < end) {
		const char *backslash = memchr(p, '\\', (size_t)(end - p));
		size_t run = (size_t)((backslash != NULL ? backslash : end) - p);

		memcpy(to, p, run);
		p += run;
		to += run;
		while (p < end && *p == '\\')
			to += json_decode_escape(&p, end, to);
	}
	return (size_t)(to - start);
}

static size_t
decoded_len(const char *p, const char *end)
{
	size_t len = (size_t)(end - p);

	while ((p = memchr(p, '\\', (size_t)(end - p))) != NULL) {
		if (p[1] == 'u') {
			len -= json_unicode_excess(&p, end);
		} else {
			len--;
			p += 2;
		}
	}
	return len;
}

static const char *
long_escape(const char *p, const char *end)
{
	while (p < end && (p = memchr(p, '\\', (size_t)(end - p))) != NULL) {
		if (p[1] == 'u' || p[1] == '/')
			return p;
		p += 2;
	}
	return end;
}

static const char *
container_end(const char *p)
{
	size_t depth = 0;
	uint8_t escaped;

	for (;;) {
		if (*p == '"') {
			p = string_end(p, &escaped);
			continue;
		}
		if ((*p | 0x20) == '{')
			depth++;
		else if ((*p | 0x20) == '}' && --depth == 0)
			return p + 1;
		p++;
	}
}

const struct json_path json_path_scalar = {
    scan_text, string_end, decode, decoded_len, long_escape, container_end};
