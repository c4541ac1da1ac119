#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

/*
 * Sizes as options give them: a number with k, M, G or T (powers of 1,000; Ki, Mi, Gi, Ti of
 * 1,024), or a share of the window (75%), or the window less a number (-16k), or a number of
 * messages (40msgs) or turns (8turns).
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

enum size_unit {
	SIZE_UNSET,
	SIZE_PLAIN,
	SIZE_PERCENT, /* of the window, in thousandths of a percent */
	SIZE_LESS,    /* the window less this */
	SIZE_MESSAGES,
	SIZE_TURNS,
};

struct size {
	enum size_unit unit;
	uint64_t value;
};

/* A plain number with an optional suffix; false when text is anything else or overflows. */
bool number_parse(const char *text, uint64_t *number);

/* Any of the forms above. */
bool size_parse(const char *text, struct size *size);

/* The size in tokens for a window; units other than PLAIN, PERCENT and LESS give fallback. */
uint64_t size_of_window(struct size size, uint64_t window, uint64_t fallback);

/* Appends number with thousands separators: 1,234,567. */
void number_write_grouped(struct buf *buf, uint64_t number);

/* Appends number short: 950, 16.8k, 128k, 1.2M. */
void number_write_short(struct buf *buf, uint64_t number);

/* Appends a number of bytes as a person reads it: 812 B, 9 kB, 1.2 MB. */
void number_write_size(struct buf *buf, uint64_t bytes);

/* A span of time: a number with s, m, h or d behind it (seconds without); in seconds. */
bool number_parse_time(const char *text, uint64_t *seconds);

#endif
