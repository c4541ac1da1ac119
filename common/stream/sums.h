#ifndef STREAM_SUMS_H
#define STREAM_SUMS_H

/*
 * What was read of each operand (stream/input.h): how many bytes, and their sum. A sum is complete
 * when a record of the next operand comes, or when there is none. Zeros are an empty list. The sum
 * of an operand that is dropped costs nothing more.
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

/* Begins with the operand. */
void sums_begin(struct sums *sums, const char *file);

/* Adds bytes of the operand that was begun last. */
void sums_add(struct sums *sums, struct str bytes);

/* Drops the sum of the operand that was begun last, if it is that file; or NULL: whatever it is. */
void sums_drop(struct sums *sums, const char *file);

/* The sum of the operand, or NULL when there is none. It lives until an operand is begun. */
const struct sum *sums_find(const struct sums *sums, const char *file);

void sums_free(struct sums *sums);

#endif
