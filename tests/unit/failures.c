/* The lists of failures: by key, the newest in front, and gone when they were taken. */

#include "data/session/failures.h"

#include "unit.h"

static struct hash
key_of(uint64_t number)
{
	return hash_number(number, hash_seed(HASH_LABEL));
}

int
main(void)
{
	struct failures failures = {.count = 0};

	CHECK(failures_take(&failures, FAILURE_BY_CALL, key_of(1)) == FAILURE_NONE);
	for (uint32_t i = 0; i < 3; i++) {
		CHECK(failures_add(&failures, 10 + i) == i);
		failures_list(&failures, i, FAILURE_BY_CALL, key_of(1));
		failures_list(&failures, i, FAILURE_BY_TARGET, key_of(i));
	}
	CHECK(failures.item[2].call == 12);
	CHECK(failures_take(&failures, FAILURE_BY_CALL, key_of(2)) == FAILURE_NONE);
	CHECK(failures_take(&failures, FAILURE_BY_CALL, key_of(1)) == 2);
	CHECK(failures.item[2].older[FAILURE_BY_CALL] == 1);
	CHECK(failures.item[1].older[FAILURE_BY_CALL] == 0);
	CHECK(failures.item[0].older[FAILURE_BY_CALL] == FAILURE_NONE);
	/* Taken out by one key, they stand on the lists of the others. */
	CHECK(failures_take(&failures, FAILURE_BY_CALL, key_of(1)) == FAILURE_NONE);
	CHECK(failures_take(&failures, FAILURE_BY_TARGET, key_of(1)) == 1);
	CHECK(failures.item[1].older[FAILURE_BY_TARGET] == FAILURE_NONE);
	failures_free(&failures);
	CHECK(failures.count == 0 && failures.item == NULL);
	return unit_end();
}
