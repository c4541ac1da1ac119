#ifndef BASE_STR_H
#define BASE_STR_H

/*
 * A span of bytes that somebody else owns: a pointer and a length, without a NUL at the end. Text
 * of a record may hold any byte, also NUL, so text is always passed as a span.
 */

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/array_count.h"

struct str {
	const char *ptr;
	size_t len;
};

/* The str of a string literal; usable in static initializers. */
#define STR_INIT(literal) \
	{ \
		(literal), sizeof(literal) - 1 \
	}
#define STR(literal) ((struct str)STR_INIT(literal))
/* The two arguments for a "%.*s" of printf. */
#define STR_ARG(s) (int)(s).len, (s).ptr

static inline struct str
str_of(const char *ptr, size_t len)
{
	return (struct str){ptr, len};
}

static inline struct str
str_from(const char *cstr)
{
	return (struct str){cstr, strlen(cstr)};
}

/* The bytes of s from offset at on; at is at most the length of s. */
static inline struct str
str_rest(struct str s, size_t at)
{
	return str_of(s.ptr + at, s.len - at);
}

static inline bool
str_eq(struct str a, struct str b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static inline bool
str_has_prefix(struct str s, struct str prefix)
{
	return s.len >= prefix.len &&
	    (prefix.len == 0 || memcmp(s.ptr, prefix.ptr, prefix.len) == 0);
}

static inline bool
str_has_suffix(struct str s, struct str suffix)
{
	return s.len >= suffix.len &&
	    str_eq(str_of(s.ptr + s.len - suffix.len, suffix.len), suffix);
}

/* Whether all bytes of s are hexadecimal digits in lower case. */
bool str_is_hex(struct str s);

/* Whether s is a UUID: 32 hexadecimal digits in either case, and four dashes at their places. */
bool str_is_uuid(struct str s);

/* Compares bytes as memcmp does. Where one string is the start of the other, the shorter one comes
 * first. */
int str_compare(struct str a, struct str b);

/* The first occurrence of needle in s, or NULL. */
const char *str_find(struct str s, struct str needle);

/* s without spaces, tabs, CR and LF at its start and end. */
struct str str_trim(struct str s);

/* Whether s is equal to one of the count texts of list, contains one, or begins with one. */
bool str_is_one_of(struct str s, const struct str *list, size_t count);
bool str_has_any(struct str s, const struct str *list, size_t count);
bool str_has_any_prefix(struct str s, const struct str *list, size_t count);
#define STR_IS_ONE_OF(s, list) str_is_one_of((s), (list), ARRAY_COUNT(list))
#define STR_HAS_ANY(s, list) str_has_any((s), (list), ARRAY_COUNT(list))
#define STR_HAS_ANY_PREFIX(s, list) str_has_any_prefix((s), (list), ARRAY_COUNT(list))

/* Removes the first line from the text. str_take_line returns the line without its LF,
 * str_take_whole_line with it. */
struct str str_take_line(struct str *text);
struct str str_take_whole_line(struct str *text);

/* The part of s after its last such byte; all of s when the byte is not in s. */
struct str str_behind_last(struct str s, char byte);

/* The first line of the text, without its LF. */
struct str str_first_line(struct str text);

/* The first CR or LF of the text, or its end. */
const char *str_find_break(struct str text);

/* Whether the text has no LF. */
static inline bool
str_is_one_line(struct str text)
{
	return text.len == 0 || memchr(text.ptr, '\n', text.len) == NULL;
}

/* How often the byte occurs in s. */
size_t str_count(struct str s, char byte);

/* The length of the longest common start of a and b. */
size_t str_common_len(struct str a, struct str b);

/* Whether word is one of the words of list, which are separated by mark. None of them is empty. */
bool str_is_word_of(struct str word, const char *list, char mark);

/* The same of whether s begins with one of them. */
bool str_has_prefix_of(struct str s, const char *list, char mark);

/* Takes the next word of list that begins with first, which is no mark. *at is NULL before the
 * first one, and is moved. This passes other words by without looking at them. */
bool str_next_word(const char *list, char mark, char first, const char **at, struct str *word);

/* Takes the next word of *list, whose words are separated by mark, such as a comma. Moves *list to
 * the word after it, or sets it to NULL after the last word. Words may be empty; an empty list is
 * one empty word. Returns false when *list is NULL. */
bool str_take_word(const char **list, char mark, struct str *word);

#endif
