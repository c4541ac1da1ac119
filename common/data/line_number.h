#ifndef DATA_LINE_NUMBER_H
#define DATA_LINE_NUMBER_H

/*
 * The numbers by which people name messages, as integers, so that they are in order: a line, and
 * below it which one of the messages that begin on that line, from 1:
 *
 *     57        the line, and its first message
 *     57.2      the second one
 */

#include "base/buf.h"
#include "data/message/message.h"

enum { LINE_NUMBER_PART_BITS = 24 };

/* The number of the first message of that line. */
static inline uint64_t
line_number_of(uint64_t line)
{
	return line << LINE_NUMBER_PART_BITS | 1;
}

/* The line of the number, and which of its messages it is, from 1. */
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

/* Reads LINE or LINE.K; without K it is the first of the line, with is_last the last one. Returns
 * whether text is that. */
bool line_number_read(struct str text, bool is_last, uint64_t *number);

/* The number that a message says which a reader made of an agent's file, or 0. */
uint64_t line_number_of_source(const struct message *message);

/* Appends it as it is read; of the first message of a line, the line. */
void line_number_add(struct buf *buf, uint64_t number);

#endif
