#ifndef DATA_LINE_NUMBER_H
#define DATA_LINE_NUMBER_H

/*
 * The numbers by which people name messages, as integers in the order of the messages. The upper
 * bits are a line. The lower bits are the position, from 1, among the messages that begin on that
 * line:
 *
 *     57        the line, and its first message
 *     57.2      the second one
 */

#include "base/buf.h"
#include "data/message/message.h"

enum { LINE_NUMBER_PART_BITS = 24 };

/* The number of the first message of line. */
static inline uint64_t
line_number_of(uint64_t line)
{
	return line << LINE_NUMBER_PART_BITS | 1;
}

/* The line of a number, and the position on that line, from 1. */
static inline uint64_t
line_number_line(uint64_t number)
{
	return number >> LINE_NUMBER_PART_BITS;
}

static inline uint64_t
line_number_part(uint64_t number)
{
	return number - (line_number_line(number) << LINE_NUMBER_PART_BITS);
}

/* Reads LINE or LINE.K. Without K, the number is that of the first message of the line; with
 * is_last, of the last one. Returns false when text has neither form. */
bool line_number_read(struct str text, bool is_last, uint64_t *number);

/* The number in metadata.source, which a reader of an agent's file wrote; 0 when there is none. */
uint64_t line_number_of_source(const struct message *message);

/* Appends the number as LINE or LINE.K; as LINE for the first message of a line. */
void line_number_add(struct buf *buf, uint64_t number);

#endif
