#ifndef BASE_WIDE_H
#define BASE_WIDE_H

/*
 * Products of 128 bits, on machines that have no type for them too.
 */

#include <stdint.h>

/* The lower half of x * y; *high is the upper one. WIDE_PLAIN makes it the plain way (tests). */
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
	uint64_t cross = x1 * y0 + (low >> 32); /* no sum here is more than 64 bits hold */
	uint64_t middle = x0 * y1 + (uint32_t)cross;

	*high = x1 * y1 + (cross >> 32) + (middle >> 32);
	return middle << 32 | (uint32_t)low;
#endif
}

/* Both halves of x * y, folded: a good mixer, if one of them is a secret. */
static inline uint64_t
wide_fold(uint64_t x, uint64_t y)
{
	uint64_t high, low = wide_multiply(x, y, &high);

	return low ^ high;
}

#endif
