/*
 * Covered reads against the definition, read by read: on random sets of ranges, many of them equal,
 * nested or overlapping, the same calls are found.
 */
#include "policy/compact/covered.h"

#include "unit.h"

enum { READS = 40, TARGETS = 3, ROUNDS = 300 };

static const char *const paths[TARGETS] = {"a.c", "b.c", "a.c2"};

struct found {
	unsigned char is_found[READS];
	unsigned count;
};

static void
add_found(void *context, uint32_t call)
{
	struct found *found = context;

	found->is_found[call] = 1;
	found->count++;
}

static int
is_covered(const struct call *call, unsigned index)
{
	for (unsigned later = index + 1; later < READS; later++)
		if (!call[later].use.is_part &&
		    str_eq(call[later].use.target, call[index].use.target) &&
		    call[later].use.first_line <= call[index].use.first_line &&
		    call[later].use.last_line >= call[index].use.last_line)
			return 1;
	return 0;
}

static void
check_round(void)
{
	struct call call[READS];
	struct session session = {.call = call, .call_count = READS};
	struct found found = {.count = 0};
	uint32_t list[READS];
	unsigned expected = 0;
	int same = 1;

	for (unsigned i = 0; i < READS; i++) {
		int64_t first = 1 + rand() % 12;

		list[i] = i;
		call[i].use = (struct tool_use){.op = TOOL_READ,
		    .target = str_from(paths[rand() % TARGETS]),
		    .first_line = first,
		    .last_line = rand() % 8 == 0 ? TOOL_LAST_LINE : first + rand() % 6,
		    .is_part = rand() % 4 == 0};
	}
	covered_find(&session, list, READS, add_found, &found);
	for (unsigned i = 0; i < READS; i++) {
		expected += (unsigned)is_covered(call, i);
		same &= is_covered(call, i) == found.is_found[i];
	}
	CHECK(same);
	CHECK(found.count == expected);
}

int
main(void)
{
	struct session none = {.call_count = 0};

	srand(7);
	covered_find(&none, NULL, 0, add_found, NULL);
	for (unsigned i = 0; i < ROUNDS; i++)
		check_round();
	return unit_end();
}
