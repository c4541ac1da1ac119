/* Times in every spelling, as milliseconds since 1970. */

#include "data/message/timestamp.h"

#include "json_padded.h"
#include "unit.h"

/* Checks what the JSON is as a time. */
static void
check(const char *json, int64_t milliseconds)
{
	int64_t got = timestamp_read(parsed(json));

	if (!CHECK(got == milliseconds))
		printf("%s: got %lld\n", json, (long long)got);
}

int
main(void)
{
	const int64_t second = 1772359200000; /* 2026-03-01T10:00:00Z */

	check("\"2026-03-01T10:00:00Z\"", second);
	check("\"2026-03-01T10:00:00\"", second);
	check("\"2026-03-01 10:00:00\"", second);
	check("\"2026-03-01T10:00:00.5Z\"", second + 500);
	check("\"2026-03-01T10:00:00,125\"", second + 125);
	check("\"2026-03-01T10:00:00.123456Z\"", second + 123);
	check("\"2026-03-01T15:30:00+05:30\"", second);
	check("\"2026-03-01T04:30:00.250-0530\"", second + 250);
	check("\"2026-03-01T12:00:00+02\"", second);
	check("\"1970-01-01T00:00:00Z\"", 0);
	check("1772359200", second);
	check("1772359200.25", second + 250);
	check("1772359200125", second + 125);
	check("-1", -1);
	check("1e16", -1);
	check("\"yesterday\"", -1);
	check("\"2026-03-01\"", -1);
	check("\"2026-03-01T10:00:00Z, or a little later than that\"", -1);
	check("null", -1);
	check("[2026]", -1);
	arena_free(&padded_arena);
	return unit_end();
}
