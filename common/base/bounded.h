#ifndef BASE_BOUNDED_H
#define BASE_BOUNDED_H

/*
 * Hostile input may drive counts and sizes anywhere. These sums and products stop at the greatest
 * number instead of wrapping around to zero.
 */

#include <stdint.h>

static inline uint64_t
bounded_add(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static inline uint64_t
bounded_multiply(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* The integer part of number, at most UINT64_MAX; 0 for a negative number and for NaN. */
static inline uint64_t
bounded_from_real(double number)
{
	if (!(number > 0))
		return 0;
	return number < 18446744073709551616.0 ? (uint64_t)number : UINT64_MAX;
}

#endif
