/* Growing an array, with a count of any unsigned type. */

#include <stdint.h>

#include "base/list.h"

#include "unit.h"

int
main(void)
{
	unsigned *list = NULL, grown = 0;
	uint8_t small_count = 0, small_cap = 0;
	char *small = NULL;
	size_t count = 0, cap = 0;

	for (unsigned i = 0; i < 10000; i++) {
		size_t before = cap;

		LIST_ROOM(list, count, cap);
		grown += cap != before;
		CHECK(cap > count && cap >= before);
		list[count++] = i;
	}
	CHECK(grown <= 13); /* doubling from 4 */
	for (unsigned i = 0; i < 10000; i++)
		CHECK(list[i] == i);
	/* The greatest value of the type stays out of reach. */
	while (small_count < 254) {
		LIST_ROOM(small, small_count, small_cap);
		CHECK(small_cap > small_count);
		small[small_count++] = 'x';
	}
	CHECK(small_cap == 255);
	CHECK(mem_grow(0, 1) == 4 && mem_grow(16, 17) == 32 && mem_grow(16, 16) == 16);
	CHECK(mem_grow_within(16, 17, 20) == 20 && mem_grow_within(16, 17, 100) == 32);
	free(list);
	free(small);
	return unit_end();
}
