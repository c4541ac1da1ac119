#ifndef BASE_BOUNDED_H
#define BASE_BOUNDED_H

/*
 * Sums and products that stay at the greatest number instead of beginning again at zero: for counts
 * and sizes that hostile input may drive anywhere.
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

/* The integer part of number; 0 for what is less than that or is no number. */
static inline uint64_t
bounded_from_real(double number)
{
	if (!(number > 0))
		return 0;
	return number < 18446744073709551616.0 ? (uint64_t)number : UINT64_MAX;
}

#endif
