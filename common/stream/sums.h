#ifndef STREAM_SUMS_H
#define STREAM_SUMS_H

/*
 * For each operand (stream/input.h) the number of bytes that were read, and their sum. A sum is
 * complete when a record of the next operand comes, or when the input has ended. Zeros make an
 * empty list. No more bytes are added to a sum that is dropped.
 */

#include "base/hash/sum.h"

struct sums_file {
	const char *file; /* the operand: the same pointer, not the same name */
	struct sum sum;
	bool is_dropped;
};

struct sums {
	struct sums_file *list;
	size_t count, cap;
};

/* Begins the sum of the next operand. file must live as long as sums. */
void sums_begin(struct sums *sums, const char *file);

/* Adds bytes of the operand that was begun last. */
void sums_add(struct sums *sums, struct str bytes);

/* Drops the sum of the operand that was begun last, if this is file, or if file is NULL. */
void sums_drop(struct sums *sums, const char *file);

/* The sum of the operand, or NULL when there is none. Valid until the next sums_begin. */
const struct sum *sums_find(const struct sums *sums, const char *file);

void sums_free(struct sums *sums);

#endif
