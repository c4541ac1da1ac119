#ifndef BASE_BYTE_H
#define BASE_BYTE_H

/* Classes of single bytes of ASCII, whatever the locale. */

#include <stdbool.h>
#include <string.h>

/* A space, a tab, CR or LF: the white space of JSON. */
static inline bool
byte_is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static inline bool
byte_is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

static inline bool
byte_is_upper(char c)
{
	return (unsigned char)(c - 'A') < 26;
}

/* The lower case of an ASCII letter; any other byte is returned as it is. */
static inline char
byte_lower(char c)
{
	return byte_is_upper(c) ? (char)(c | 0x20) : c;
}

static inline bool
byte_is_letter(char c)
{
	return (unsigned char)((c | 0x20) - 'a') < 26;
}

/* An ASCII letter, or any byte of a character outside ASCII. */
static inline bool
byte_is_any_letter(char c)
{
	return byte_is_letter(c) || (c & 0x80) != 0;
}

/* Letters, digits and "_". */
static inline bool
byte_is_word(char c)
{
	return byte_is_letter(c) || byte_is_digit(c) || c == '_';
}

/* Whether c is one of the bytes of set, a string that ends with NUL. The NUL is not in the set. */
static inline bool
byte_is_in(char c, const char *set)
{
	return c != '\0' && strchr(set, c) != NULL;
}

#endif
