#ifndef BASE_WIDE_H
#define BASE_WIDE_H

/*
 * Products of 128 bits, also for compilers without a type of that size.
 */

#include <stdint.h>

/* Returns the lower half of x * y and sets *high to the upper half. Tests define WIDE_PLAIN to test
 * the code for compilers without a type of 128 bits. */
static inline uint64_t
wide_multiply(uint64_t x, uint64_t y, uint64_t *high)
{
#if defined(__SIZEOF_INT128__) && !defined(WIDE_PLAIN)
	unsigned __int128 product = (unsigned __int128)x * y;

	*high = (uint64_t)(product >> 64);
	return (uint64_t)product;
#else
	uint64_t x0 = (uint32_t)x, x1 = x >> 32, y0 = (uint32_t)y, y1 = y >> 32;
	uint64_t low = x0 * y0;
	uint64_t cross = x1 * y0 + (low >> 32); /* neither sum overflows */
	uint64_t middle = x0 * y1 + (uint32_t)cross;

	*high = x1 * y1 + (cross >> 32) + (middle >> 32);
	return middle << 32 | (uint32_t)low;
#endif
}

/* The halves of x * y, combined by exclusive or: mixes well if x or y is a secret. */
static inline uint64_t
wide_fold(uint64_t x, uint64_t y)
{
	uint64_t high, low = wide_multiply(x, y, &high);

	return low ^ high;
}

#endif
