#include "base/str.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/byte.h"

/* Longer needles might be compared at very many places. */
enum { WIDE = 32, NEEDLE_SHORT = 32, LONG = 2 * WIDE };

int
str_compare(struct str a, struct str b)
{
	size_t len = a.len < b.len ? a.len : b.len;
	int order = len == 0 ? 0 : memcmp(a.ptr, b.ptr, len);

	if (order != 0)
		return order;
	return (a.len > b.len) - (a.len < b.len);
}

#if defined(__x86_64__)
#define TARGET __attribute__((target("avx2")))

/* The first, a middle and the last byte of a needle, each in all places of a vector, and where the
 * two others are in it. */
struct wide_needle {
	__m256i first, middle, last;
	size_t middle_at, last_at;
};

/* All ones at those of WIDE places where the three bytes are. */
TARGET static inline __m256i
find_places(const char *p, const struct wide_needle *wide)
{
	__m256i first = _mm256_loadu_si256((const void *)p);
	__m256i middle = _mm256_loadu_si256((const void *)(p + wide->middle_at));
	__m256i last = _mm256_loadu_si256((const void *)(p + wide->last_at));

	return _mm256_and_si256(_mm256_cmpeq_epi8(first, wide->first),
	    _mm256_and_si256(
		_mm256_cmpeq_epi8(middle, wide->middle), _mm256_cmpeq_epi8(last, wide->last)));
}

/* The first of WIDE places where the whole needle is, or NULL. */
TARGET static const char *
look_at(const char *p, struct str needle, const struct wide_needle *wide)
{
	unsigned places = (unsigned)_mm256_movemask_epi8(find_places(p, wide));

	for (; places != 0; places &= places - 1)
		if (memcmp(p + __builtin_ctz(places), needle.ptr, needle.len) == 0)
			return p + __builtin_ctz(places);
	return NULL;
}

/* Looks where three bytes of a short needle are in their distances. At most places they are not, so
 * that four times WIDE are passed at a time. The text is LONG, so that the last WIDE places are
 * whole, too. */
TARGET static const char *
find_wide(struct str s, struct str needle)
{
	const struct wide_needle wide = {_mm256_set1_epi8(needle.ptr[0]),
	    _mm256_set1_epi8(needle.ptr[needle.len / 2]),
	    _mm256_set1_epi8(needle.ptr[needle.len - 1]), needle.len / 2, needle.len - 1};
	const char *p = s.ptr, *end = s.ptr + s.len, *at = NULL;

	while (at == NULL && (size_t)(end - p) >= needle.len + 4 * WIDE) {
		const char *next = p + 4 * WIDE;
		__m256i some = _mm256_or_si256(find_places(p, &wide), find_places(p + WIDE, &wide));
		__m256i others = _mm256_or_si256(
		    find_places(p + 2 * WIDE, &wide), find_places(p + 3 * WIDE, &wide));

		if (_mm256_movemask_epi8(_mm256_or_si256(some, others)) != 0)
			for (; at == NULL && p < next; p += WIDE)
				at = look_at(p, needle, &wide);
		p = next;
	}
	for (; at == NULL && (size_t)(end - p) >= needle.len + WIDE; p += WIDE)
		at = look_at(p, needle, &wide);
	return at != NULL ? at : look_at(end - needle.len - (WIDE - 1), needle, &wide);
}

static bool
is_wide(void)
{
	return __builtin_cpu_supports("avx2");
}
#else
static const char *
find_wide(struct str s, struct str needle)
{
	return memmem(s.ptr, s.len, needle.ptr, needle.len);
}

static bool
is_wide(void)
{
	return false;
}
#endif

/* Looks for a needle of two bytes and more in a short text. */
static const char *
find_short(struct str s, struct str needle)
{
	const char *p = s.ptr, *end = s.ptr + s.len - needle.len;

	for (; p <= end && (p = memchr(p, *needle.ptr, (size_t)(end - p) + 1)) != NULL; p++)
		if (p[1] == needle.ptr[1] && memcmp(p, needle.ptr, needle.len) == 0)
			return p;
	return NULL;
}

const char *
str_find(struct str s, struct str needle)
{
	if (s.ptr == NULL)
		return NULL;
	if (s.len < LONG && needle.len >= 2)
		return s.len < needle.len ? NULL : find_short(s, needle);
	if (s.len >= LONG && needle.len >= 2 && needle.len <= NEEDLE_SHORT && is_wide())
		return find_wide(s, needle);
	return memmem(s.ptr, s.len, needle.ptr, needle.len);
}

struct str
str_trim(struct str s)
{
	while (s.len > 0 && byte_is_blank(s.ptr[s.len - 1]))
		s.len--;
	while (s.len > 0 && byte_is_blank(*s.ptr)) {
		s.ptr++;
		s.len--;
	}
	return s;
}

bool
str_is_hex(struct str s)
{
	size_t i = 0;

	while (i < s.len && byte_is_in(s.ptr[i], "0123456789abcdef"))
		i++;
	return i == s.len;
}

bool
str_is_uuid(struct str s)
{
	for (size_t i = 0; i < s.len; i++) {
		bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
		unsigned digit = (unsigned char)(s.ptr[i] - '0');
		unsigned letter = (unsigned char)((s.ptr[i] | 0x20) - 'a');

		if (is_dash ? s.ptr[i] != '-' : digit > 9 && letter > 5)
			return false;
	}
	return s.len == 36;
}

bool
str_is_one_of(struct str s, const struct str *list, size_t count)
{
	while (count > 0 && !str_eq(s, list[count - 1]))
		count--;
	return count > 0;
}

bool
str_has_any(struct str s, const struct str *list, size_t count)
{
	while (count > 0 && str_find(s, list[count - 1]) == NULL)
		count--;
	return count > 0;
}

bool
str_has_any_prefix(struct str s, const struct str *list, size_t count)
{
	/* Most differ in the first byte. */
	while (count > 0 &&
	    (s.len < list[count - 1].len || *s.ptr != *list[count - 1].ptr ||
		!str_has_prefix(s, list[count - 1])))
		count--;
	return count > 0;
}

const char *
str_find_break(struct str text)
{
	const char *at = text.ptr;

	for (unsigned i = 0; i < 2 && text.len > 0; i++) {
		at = memchr(text.ptr, "\n\r"[i], text.len);
		at = at != NULL ? at : text.ptr + text.len;
		text.len = (size_t)(at - text.ptr);
	}
	return at;
}

struct str
str_behind_last(struct str s, char byte)
{
	const char *at = s.len > 0 ? memrchr(s.ptr, byte, s.len) : NULL;

	return at != NULL ? str_rest(s, (size_t)(at + 1 - s.ptr)) : s;
}

struct str
str_take_line(struct str *text)
{
	const char *lf = text->len > 0 ? memchr(text->ptr, '\n', text->len) : NULL;
	struct str line = str_of(text->ptr, lf != NULL ? (size_t)(lf - text->ptr) : text->len);
	size_t taken = line.len + (lf != NULL);

	/* There may be no address to add to. */
	if (taken == 0)
		return line;
	*text = str_of(text->ptr + taken, text->len - taken);
	return line;
}

struct str
str_take_whole_line(struct str *text)
{
	struct str line = str_take_line(text);

	return str_of(line.ptr, (size_t)(text->ptr - line.ptr));
}

struct str
str_first_line(struct str text)
{
	return str_take_line(&text);
}

size_t
str_count(struct str s, char byte)
{
	size_t count = 0;

	for (const char *at; s.len > 0 && (at = memchr(s.ptr, byte, s.len)) != NULL; count++)
		s = str_rest(s, (size_t)(at - s.ptr) + 1);
	return count;
}

bool
str_take_word(const char **list, char mark, struct str *word)
{
	const char *end;

	if (*list == NULL)
		return false;
	end = strchrnul(*list, mark);
	*word = str_of(*list, (size_t)(end - *list));
	*list = *end != '\0' ? end + 1 : NULL;
	return true;
}

size_t
str_common_len(struct str a, struct str b)
{
	size_t most = a.len < b.len ? a.len : b.len, len = 0;

	while (len < most && a.ptr[len] == b.ptr[len])
		len++;
	return len;
}

/* Whether s begins with one of the words, and has nothing more, or may have. */
static bool
begins_with_word(struct str s, const char *list, char mark, bool may_go_on)
{
	if (s.len == 0 || *s.ptr == '\0')
		return false;
	for (const char *p = list; (p = strchr(p, *s.ptr)) != NULL; p++) {
		size_t len = 0;

		if (p > list && p[-1] != mark)
			continue;
		while (len < s.len && p[len] == s.ptr[len] && p[len] != mark && p[len] != '\0')
			len++;
		if ((p[len] == mark || p[len] == '\0') && (may_go_on || s.len == len))
			return true;
	}
	return false;
}

bool
str_is_word_of(struct str word, const char *list, char mark)
{
	return begins_with_word(word, list, mark, false);
}

bool
str_has_prefix_of(struct str s, const char *list, char mark)
{
	return begins_with_word(s, list, mark, true);
}

bool
str_next_word(const char *list, char mark, char first, const char **at, struct str *word)
{
	const char *p = *at != NULL ? *at + 1 : list;

	if (first == '\0')
		return false;
	for (p = strchr(p, first); p != NULL && p > list && p[-1] != mark;)
		p = strchr(p + 1, first);
	if (p == NULL)
		return false;
	*at = p;
	*word = str_of(p, (size_t)(strchrnul(p, mark) - p));
	return true;
}
