#include "json/write.h"

#include <assert.h>
#include <math.h>
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#include "json/bytes.h"
#include "json/members.h"

/*
 * How many ill-formed bytes one U+FFFD replaces: the longest start of a well-formed sequence, at
 * least one byte (a "maximal subpart" in the Unicode standard). A start is tried by adding trail
 * bytes: if they complete a well-formed sequence, it is the start of one.
 */
static size_t
ill_formed_len(const char *p, const char *end)
{
	for (size_t len = 3; len > 1; len--) {
		char probe[4] = {'\x80', '\x80', '\x80', '\x80'};

		if ((size_t)(end - p) < len)
			continue;
		memcpy(probe, p, len);
		if (utf8_len(probe) > len)
			return len;
	}
	return 1;
}

enum { WIDE = 16, ESCAPE_MAX = 6, CHUNK = 1024 };

/* Copies the run of bytes from p that need no escape to *to, which moves on, with room for WIDE
 * bytes more. Of a text that is not known to be valid UTF-8, the run is ASCII. Returns the end of
 * the run. */
static inline __attribute__((always_inline)) const char *
copy_plain(const char *p, const char *end, char **to, bool is_valid)
{
	const char *run;

#if defined(__x86_64__)
	while (end - p >= WIDE) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
		__m128i odd = is_valid ?
		    _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(' ' - 1)), bytes) :
		    _mm_cmplt_epi8(bytes, _mm_set1_epi8(' '));
		__m128i special = _mm_or_si128(odd,
		    _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')),
			_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))));
		unsigned mask = (unsigned)_mm_movemask_epi8(special);
		int plain = mask != 0 ? __builtin_ctz(mask) : WIDE;

		_mm_storeu_si128((__m128i *)(void *)*to, bytes);
		p += plain;
		*to += plain;
		if (mask != 0)
			return p;
	}
#endif
	/* A sequence may have begun in the vector before. */
	while (is_valid && p < end && (unsigned char)*p >= ' ' && *p != '"' && *p != '\\')
		*(*to)++ = *p++;
	if (is_valid)
		return p;
	run = p;
	p = json_skip_plain(p, end);
	memcpy(*to, run, (size_t)(p - run));
	*to += p - run;
	return p;
}

/* Puts the escape of c at to, at most 6 bytes; U+FFFD when c is a byte of ill-formed UTF-8. Returns
 * the length. */
static unsigned
escape(char c, char *to)
{
	static const char hex[] = "0123456789abcdef";
	static const char brief[256] = {['"'] = '"',
	    ['\\'] = '\\',
	    ['\b'] = 'b',
	    ['\f'] = 'f',
	    ['\n'] = 'n',
	    ['\r'] = 'r',
	    ['\t'] = 't'};
	unsigned char code = (unsigned char)c;

	if (code >= 0x80) { /* ill-formed */
		memcpy(to, "\xef\xbf\xbd", 3);
		return 3;
	}
	to[0] = '\\';
	to[1] = brief[code];
	if (to[1] != '\0')
		return 2;
	memcpy(to + 1, "u00", 3);
	to[4] = hex[code >> 4];
	to[5] = hex[code & 15];
	return 6;
}

void
json_write_escaped(struct buf *buf, struct str text)
{
	const char *p = text.ptr, *end;

	if (text.len == 0)
		return;
	end = p + text.len;
	while (p < end) {
		char *to = buf_reserve(buf, (size_t)(end - p) + WIDE + ESCAPE_MAX);
		unsigned len;

		p = copy_plain(p, end, &to, false);
		if (p < end) {
			len = (unsigned char)*p < 0x80 ? 0 : utf8_len_within(p, end);
			if (len > 0) {
				memcpy(to, p, len);
				to += len;
				p += len;
			} else {
				to += escape(*p, to);
				p += (unsigned char)*p < 0x80 ? 1 : ill_formed_len(p, end);
			}
		}
		buf->len = (size_t)(to - buf->ptr);
	}
}

void
json_write_json(struct buf *buf, struct str text)
{
	const char *p = text.ptr, *end = text.len > 0 ? p + text.len : p; /* p may be NULL */

	*buf_reserve(buf, text.len + 2) = '"';
	buf->len++;
	while (p < end) {
		const char *stop = end - p < CHUNK ? end : p + CHUNK;
		char *to = buf_reserve(buf, (size_t)(stop - p) * ESCAPE_MAX + WIDE);

		while (p < stop) {
			p = copy_plain(p, stop, &to, true);
			if (p == stop)
				break;
			to[0] = '\\';
			to[1] = *p;
			to += (unsigned char)*p >= ' ' ? 2 : escape(*p, to);
			p++;
		}
		buf->len = (size_t)(to - buf->ptr);
	}
	buf_add_char(buf, '"');
}

void
json_write_string(struct buf *buf, struct str text)
{
	*buf_reserve(buf, text.len + 2) = '"';
	buf->len++;
	json_write_escaped(buf, text);
	buf_add_char(buf, '"');
}

void
json_writer_init(struct json_writer *w, struct buf *buf)
{
	*w = (struct json_writer){.buf = buf};
}

/* Puts a comma where one is due; called before each value and each name. */
static void
separate(struct json_writer *w)
{
	if (w->comma)
		buf_add_char(w->buf, ',');
	w->comma = true;
}

void
json_open(struct json_writer *w, char bracket)
{
	assert(w->depth < 64 && (bracket == '{' || bracket == '['));
	separate(w);
	buf_add_char(w->buf, bracket);
	w->closers = w->closers << 1 | (bracket == '{');
	w->depth++;
	w->comma = false;
}

void
json_close(struct json_writer *w)
{
	assert(w->depth > 0);
	buf_add_char(w->buf, w->closers & 1 ? '}' : ']');
	w->closers >>= 1;
	w->depth--;
	w->comma = true;
}

void
json_name(struct json_writer *w, struct str name)
{
	separate(w);
	json_write_string(w->buf, name);
	buf_add_char(w->buf, ':');
	w->comma = false;
}

void
json_put_member(struct json_writer *w, struct json_value name, struct json_value value)
{
	separate(w);
	buf_add_str(w->buf, json_span(name));
	buf_add_char(w->buf, ':');
	buf_add_str(w->buf, json_span(value));
}

void
json_put_string(struct json_writer *w, struct str text)
{
	separate(w);
	json_write_string(w->buf, text);
}

void
json_put_json(struct json_writer *w, struct str text)
{
	separate(w);
	json_write_json(w->buf, text);
}

void
json_put_integer(struct json_writer *w, int64_t number)
{
	separate(w);
	buf_add_fmt(w->buf, "%lld", (long long)number);
}

void
json_put_real(struct json_writer *w, double number)
{
	struct buf *buf = w->buf;

	separate(w);
	if (!isfinite(number)) {
		buf_add_str(buf, STR("null"));
		return;
	}
	if (number > -0.0000005 && number < 0.0000005)
		number = 0; /* and not -0 */
	buf_add_fmt(buf, "%.6f", number);
	while (buf->ptr[buf->len - 1] == '0')
		buf->len--;
	if (buf->ptr[buf->len - 1] == '.')
		buf->len--;
}

void
json_put_bool(struct json_writer *w, bool value)
{
	json_put_raw(w, value ? STR("true") : STR("false"));
}

void
json_put_raw(struct json_writer *w, struct str json)
{
	separate(w);
	buf_add_str(w->buf, json);
}

void
json_put_value(struct json_writer *w, struct json_value value)
{
	json_put_raw(w, json_span(value));
}

void
json_begin(struct json_writer *w, struct buf *buf, char bracket)
{
	json_writer_init(w, buf);
	json_open(w, bracket);
}

void
json_member_open(struct json_writer *w, struct str name, char bracket)
{
	json_name(w, name);
	json_open(w, bracket);
}

void
json_member_string(struct json_writer *w, struct str name, struct str text)
{
	json_name(w, name);
	json_put_string(w, text);
}

void
json_member_integer(struct json_writer *w, struct str name, int64_t number)
{
	json_name(w, name);
	json_put_integer(w, number);
}

void
json_member_real(struct json_writer *w, struct str name, double number)
{
	json_name(w, name);
	json_put_real(w, number);
}

void
json_member_bool(struct json_writer *w, struct str name, bool value)
{
	json_name(w, name);
	json_put_bool(w, value);
}

void
json_member_raw(struct json_writer *w, struct str name, struct str json)
{
	json_name(w, name);
	json_put_raw(w, json);
}

void
json_member_value(struct json_writer *w, struct str name, struct json_value value)
{
	if (value.type != JSON_ABSENT)
		json_member_raw(w, name, json_span(value));
}

struct json_value
json_written_whole(struct buf *text)
{
	buf_pad(text);
	return json_whole(buf_str(text));
}

struct json_value
json_written(struct buf *text, size_t from)
{
	buf_pad(text);
	return json_value_at(text->ptr + from);
}
