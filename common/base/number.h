#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

/*
 * Reading the numbers and sizes of options, and writing numbers for people. A size is one of:
 *
 *     16k            a number; k, M, G, T are powers of 1,000, and Ki, Mi, Gi, Ti of 1,024
 *     75%            a share of the window
 *     -16k           the window less a number
 *     40msgs         a number of messages; 40msg is the same
 *     8turns         a number of turns; 8turn is the same
 *     70%msgs        a share of the messages (size_parse_share)
 *
 * A length of a text is a number of bytes, of characters or of tokens: 2k, 800chars, 500tok. A
 * character is a code point.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

enum size_unit {
	SIZE_UNSET,
	SIZE_PLAIN,
	SIZE_PERCENT, /* value: a share of the window, in parts of SIZE_WHOLE */
	SIZE_LESS,    /* value: the tokens that are subtracted from the window */
	SIZE_MESSAGES,
	SIZE_TURNS,
	SIZE_MESSAGES_SHARE, /* value: a share of the messages, in parts of SIZE_WHOLE */
	SIZE_TOKENS,         /* for lengths only */
	SIZE_CHARACTERS,     /* for lengths only */
};

enum { SIZE_WHOLE = 100000 };

struct size {
	enum size_unit unit;
	uint64_t value;
};

/* The lesser of two numbers. */
static inline uint64_t
number_least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Reads a number with an optional suffix. Returns false when text is anything else, and when the
 * number overflows. */
bool number_parse(const char *text, uint64_t *number);

/* Reads a size in any of the forms above. Returns false as number_parse does. */
bool size_parse(const char *text, struct size *size);

/* Reads a share of the messages; 70%msg is the same. Returns false as number_parse does. */
bool size_parse_share(const char *text, struct size *size);

/* Reads a length: SIZE_PLAIN is in bytes. Returns false as number_parse does. */
bool size_parse_length(const char *text, struct size *size);

/* The size in tokens; window is in tokens, too. A size that is unset, in messages or in turns gives
 * fallback. */
uint64_t size_of_window(struct size size, uint64_t window, uint64_t fallback);

/* Appends number with thousands separators: 1,234,567. */
void number_write_grouped(struct buf *buf, uint64_t number);

/* The same, as the argument of a "%s" of printf: number_grouped(number).text. */
struct number_text {
	char text[32];
};

struct number_text number_grouped(uint64_t number);

/* Appends number in a short form: 950, 16.8k, 128k, 1.2M. */
void number_write_short(struct buf *buf, uint64_t number);

/* Appends number exactly, in thousands: 0.9k, 12.345k. */
void number_write_thousands(struct buf *buf, uint64_t number);

/* Appends a number of bytes with its unit: 812 B, 9 kB, 1.2 MB. */
void number_write_size(struct buf *buf, uint64_t bytes);

/* Reads a span of time into *seconds: a number of seconds, or a number with s, m, h or d. */
bool number_parse_time(const char *text, uint64_t *seconds);

#endif
