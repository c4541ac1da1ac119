#include "json/string.h"

#include <stdlib.h>
#include <string.h>

#include "json/path/path.h"

size_t
json_decode_to(struct json_value string, char *to)
{
	return json_path()->decode(string.ptr + 1, string.ptr + string.len - 1, to);
}

void
json_decode(struct json_value string, struct buf *buf)
{
	char *to = buf_reserve(buf, string.len + JSON_PADDING);

	buf->len += json_decode_to(string, to);
}

void
json_decode_torn(struct str inner, struct buf *buf)
{
	const char *p = inner.ptr, *end = p + inner.len;

	while (p < end) {
		const char *escape = memchr(p, '\\', (size_t)(end - p));
		const char *plain = p;
		char bytes[4];
		unsigned len;

		p = escape != NULL ? escape : end;
		buf_add(buf, plain, (size_t)(p - plain));
		if (end - p >= 2 && (p[1] != 'u' || end - p >= 6) && json_escape_len(p) > 0) {
			len = json_decode_escape(&p, end, bytes);
			buf_add(buf, bytes, len);
		} else if (p < end) {
			buf_add_char(buf, *p++);
		}
	}
}

struct str
json_text(struct json_value string, struct buf *buf)
{
	if (!string.escaped)
		return json_inner(string);
	buf_reset(buf);
	json_decode(string, buf);
	return buf_str(buf);
}

struct hash
json_hash(struct json_value string, struct hash seed)
{
	struct buf decoded = BUF_INIT;
	struct hash hash = hash_bytes(json_text(string, &decoded), seed);

	buf_free(&decoded);
	return hash;
}

size_t
json_decoded_len(struct json_value string)
{
	struct str inner = json_inner(string);

	return string.escaped ? json_path()->decoded_len(inner.ptr, inner.ptr + inner.len) :
				inner.len;
}

void
json_add_step(struct buf *pointer, struct str name)
{
	for (size_t i = 0; i < name.len; i++)
		if (name.ptr[i] == '~' || name.ptr[i] == '/')
			buf_add_str(pointer, name.ptr[i] == '~' ? STR("~0") : STR("~1"));
		else
			buf_add_char(pointer, name.ptr[i]);
}

struct str
json_lone_surrogate(struct str text)
{
	const char *p = text.ptr, *end = text.ptr + text.len, *escape;

	while (p < end && (escape = str_find(str_of(p, (size_t)(end - p)), STR("\\u"))) != NULL) {
		const char *start = escape;

		while (start > p && start[-1] == '\\')
			start--;
		p = escape + 2;
		if ((escape - start) % 2 != 0)
			continue; /* the backslash is escaped */
		p = escape;
		if (json_unicode(&p, end) == 0xfffd && json_hex4(escape + 2) != 0xfffd)
			return str_of(escape, (size_t)(p - escape));
	}
	return STR("");
}

bool
json_is(struct json_value value, struct str text)
{
	struct str inner;
	const char *p, *end;

	if (value.type != JSON_STRING)
		return false;
	inner = json_inner(value);
	if (!value.escaped)
		return str_eq(inner, text);
	p = inner.ptr;
	end = p + inner.len;
	while (p < end) {
		char bytes[4] = {*p};
		unsigned len = *p == '\\' ? json_decode_escape(&p, end, bytes) : (p++, 1);

		if (text.len < len || memcmp(text.ptr, bytes, len) != 0)
			return false;
		text = str_of(text.ptr + len, text.len - len);
	}
	return text.len == 0;
}

bool
json_is_one_of(struct json_value value, const struct str *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (json_is(value, list[i]))
			return true;
	return false;
}

/* Whether the code point of len bytes at p has the Unicode property White_Space; it is
 * well-formed. */
static bool
is_space(const char *p, unsigned len)
{
	const unsigned char *s = (const unsigned char *)p;

	if (len == 1)
		return s[0] == ' ' || (s[0] >= '\t' && s[0] <= '\r');
	if (len == 2) /* U+0085, U+00A0 */
		return s[0] == 0xc2 && (s[1] == 0x85 || s[1] == 0xa0);
	if (len != 3)
		return false;
	if (s[0] == 0xe1) /* U+1680 */
		return s[1] == 0x9a && s[2] == 0x80;
	if (s[0] == 0xe3) /* U+3000 */
		return s[1] == 0x80 && s[2] == 0x80;
	if (s[0] != 0xe2)
		return false;
	if (s[1] == 0x81) /* U+205F */
		return s[2] == 0x9f;
	/* U+2000 to U+200A, U+2028, U+2029, U+202F */
	return s[1] == 0x80 && (s[2] <= 0x8a || s[2] == 0xa8 || s[2] == 0xa9 || s[2] == 0xaf);
}

int
json_first_byte(struct json_value string)
{
	struct str inner = json_inner(string);
	const char *p = inner.ptr, *end = p + inner.len;

	while (p < end) {
		char bytes[4];
		const char *at = bytes;
		unsigned len;

		if (*p == '\\') {
			len = json_decode_escape(&p, end, bytes);
		} else {
			at = p;
			len = utf8_len(p);
			p += len;
		}
		if (!is_space(at, len))
			return (unsigned char)*at;
	}
	return -1;
}

bool
json_is_blank(struct json_value value)
{
	return value.type == JSON_STRING && json_first_byte(value) < 0;
}

size_t
json_trimmed_len(struct json_value string)
{
	struct str inner = json_inner(string);

	for (;;) {
		size_t escapes = 0;

		if (inner.len > 0 && inner.ptr[inner.len - 1] == ' ') {
			inner.len--;
			continue;
		}
		if (inner.len < 2 || strchr("nrt", inner.ptr[inner.len - 1]) == NULL)
			return inner.len;
		while (escapes + 1 < inner.len && inner.ptr[inner.len - 2 - escapes] == '\\')
			escapes++;
		if (escapes % 2 == 0)
			return inner.len;
		inner.len -= 2;
	}
}

int64_t
json_integer(struct json_value value, int64_t fallback)
{
	const char *p, *end;
	int64_t number = 0;
	bool minus;

	if (value.type != JSON_NUMBER)
		return fallback;
	p = value.ptr;
	end = p + value.len;
	minus = *p == '-';
	for (p += minus; p < end; p++) {
		int digit = *p - '0';

		if (!byte_is_digit(*p) || __builtin_mul_overflow(number, 10, &number) ||
		    __builtin_sub_overflow(number, digit, &number))
			return fallback;
	}
	/* counted downwards, because the smallest integer has no opposite */
	return minus ? number : number == INT64_MIN ? fallback : -number;
}

uint64_t
json_count(struct json_value value)
{
	int64_t count = json_integer(value, 0);

	return count > 0 ? (uint64_t)count : 0;
}

double
json_real(struct json_value value, double fallback)
{
	struct buf copy = BUF_INIT; /* strtod needs a NUL at the end */
	double number;

	if (value.type != JSON_NUMBER)
		return fallback;
	buf_add(&copy, value.ptr, value.len);
	buf_add_char(&copy, '\0');
	number = strtod(copy.ptr, NULL);
	buf_free(&copy);
	return number;
}
