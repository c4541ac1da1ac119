/* Products of 128 bits, made the plain way, against known ones. */

#define WIDE_PLAIN
#include "base/wide.h"

#include "unit.h"

static void
check(uint64_t x, uint64_t y, uint64_t high, uint64_t low)
{
	uint64_t upper = 1;

	CHECK(wide_multiply(x, y, &upper) == low && upper == high);
	CHECK(wide_multiply(y, x, &upper) == low && upper == high);
	CHECK(wide_fold(x, y) == (high ^ low));
}

int
main(void)
{
	check(0, UINT64_MAX, 0, 0);
	check(1, UINT64_MAX, 0, UINT64_MAX);
	check(UINT64_MAX, UINT64_MAX, UINT64_MAX - 1, 1);
	check(UINT64_C(1) << 32, UINT64_C(1) << 32, 1, 0);
	check(UINT64_C(0xffffffff), UINT64_C(0xffffffff), 0, UINT64_C(0xfffffffe00000001));
	check(UINT64_C(0xffffffff00000000), UINT64_C(0xffffffff00000000),
	    UINT64_C(0xfffffffe00000001), 0);
	check(UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xc2b2ae3d27d4eb4f),
	    UINT64_C(0x78547880b6031473), UINT64_C(0xf58d71ae9c47917b));
	return unit_end();
}
