/* Sizes as options give them. */

#include "base/number.h"

#include "unit.h"

static void
check_number(const char *text, uint64_t expected)
{
	uint64_t number = 7;

	if (!CHECK(number_parse(text, &number)) || !CHECK(number == expected))
		printf("    of '%s'\n", text);
}

static void
check_bad(const char *text)
{
	struct size size;
	uint64_t number;

	if (!CHECK(!number_parse(text, &number)))
		printf("    of '%s'\n", text);
	if (!CHECK(!size_parse(text, &size)))
		printf("    of '%s'\n", text);
}

static void
check_size(const char *text, enum size_unit unit, uint64_t expected)
{
	struct size size = {SIZE_UNSET, 7};

	if (!CHECK(size_parse(text, &size)) || !CHECK(size.unit == unit && size.value == expected))
		printf("    of '%s'\n", text);
}

static void
check_length(const char *text, enum size_unit unit, uint64_t expected)
{
	struct size size = {SIZE_UNSET, 7};

	if (!CHECK(size_parse_length(text, &size)) ||
	    !CHECK(size.unit == unit && size.value == expected))
		printf("    of '%s'\n", text);
}

static void
test_lengths(void)
{
	static const char *const bad[] = {"", "tok", "-1tok", "1 tok", "1toks", "5%", "5msgs",
	    "1.5tok", "chars", "5 chars", "5ch", "000000000000000000000000000000001tok"};
	struct size size;

	check_length("200", SIZE_PLAIN, 200);
	check_length("2k", SIZE_PLAIN, 2000);
	check_length("2T", SIZE_PLAIN, 2000000000000u);
	check_length("500tok", SIZE_TOKENS, 500);
	check_length("1.5ktok", SIZE_TOKENS, 1500);
	check_length("0tok", SIZE_TOKENS, 0);
	check_length("800chars", SIZE_CHARACTERS, 800);
	check_length("1kchar", SIZE_CHARACTERS, 1000);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		if (!CHECK(!size_parse_length(bad[i], &size)))
			printf("    of '%s'\n", bad[i]);
}

static void
test_shares(void)
{
	static const char *const bad[] = {"", "msgs", "50%", "50msgs", "50%turns", "100.001%msgs",
	    "-5%msgs", "50% msgs", "50%msgss"};
	struct size size;

	CHECK(size_parse_share("70%msgs", &size) && size.unit == SIZE_MESSAGES_SHARE);
	CHECK(size.value == 70000);
	CHECK(size_parse_share("0.5%msg", &size) && size.value == 500);
	CHECK(size_parse_share("100%msgs", &size) && size.value == SIZE_WHOLE);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		if (!CHECK(!size_parse_share(bad[i], &size)))
			printf("    of '%s'\n", bad[i]);
}

static void
test_numbers(void)
{
	check_number("0", 0);
	check_number("007", 7);
	check_number("120k", 120000);
	check_number("120K", 120000);
	check_number("1.5k", 1500);
	check_number("0.25M", 250000);
	check_number("2Ki", 2048);
	check_number("256Mi", (uint64_t)256 << 20);
	check_number("3G", 3000000000u);
	check_number("1Ti", (uint64_t)1 << 40);
	check_number("1.0", 1);
	check_number("9223372T", 9223372000000000000u);
	check_number("18446744073709551", 18446744073709551u);
}

static void
test_bad(void)
{
	static const char *const texts[] = {"", " ", "k", "-", "+1", " 1", "1 ", "1 k", "1.", ".5",
	    "1.5", "1.0005k", "1e3", "0x10", "1kk", "1kb", "1i", "12q", "1,000", "9223373T",
	    "18446744073709552", "99999999999999999999", "%", "--1k", "msgs", "turns"};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		check_bad(texts[i]);
}

static void
test_sizes(void)
{
	struct size size;

	check_size("12k", SIZE_PLAIN, 12000);
	check_size("75%", SIZE_PERCENT, 75000);
	check_size("12.5%", SIZE_PERCENT, 12500);
	check_size("100%", SIZE_PERCENT, 100000);
	check_size("-16k", SIZE_LESS, 16000);
	check_size("20msgs", SIZE_MESSAGES, 20);
	check_size("8turns", SIZE_TURNS, 8);
	check_size("0turns", SIZE_TURNS, 0);
	check_size("20msg", SIZE_MESSAGES, 20);
	check_size("8turn", SIZE_TURNS, 8);
	check_size("0.5k", SIZE_PLAIN, 500);
	CHECK(!size_parse("8turnss", &size));
	CHECK(!size_parse("8s", &size));
	CHECK(!size_parse("101%", &size));
	CHECK(!size_parse("1k%", &size));
	CHECK(!size_parse("-75%", &size));
	CHECK(!size_parse("-8msgs", &size));
	CHECK(!size_parse("1.5msgs", &size));
	CHECK(!size_parse("2kmsgs", &size));
	CHECK(!size_parse("8 turns", &size));
	CHECK(!size_parse("8msgsx", &size));
}

static void
test_window(void)
{
	CHECK(size_of_window((struct size){SIZE_PLAIN, 500}, 1000, 7) == 500);
	CHECK(size_of_window((struct size){SIZE_PLAIN, 5000}, 1000, 7) == 5000);
	CHECK(size_of_window((struct size){SIZE_PERCENT, 75000}, 1000, 7) == 750);
	CHECK(size_of_window((struct size){SIZE_PERCENT, 33333}, 1000, 7) == 333);
	CHECK(size_of_window((struct size){SIZE_PERCENT, 100000}, INT64_MAX, 7) == INT64_MAX);
	CHECK(size_of_window((struct size){SIZE_LESS, 400}, 1000, 7) == 600);
	CHECK(size_of_window((struct size){SIZE_LESS, 4000}, 1000, 7) == 0);
	CHECK(size_of_window((struct size){SIZE_UNSET, 0}, 1000, 7) == 7);
	CHECK(size_of_window((struct size){SIZE_MESSAGES, 3}, 1000, 7) == 7);
	CHECK(size_of_window((struct size){SIZE_TURNS, 3}, 1000, 7) == 7);
}

static void
check_grouped(uint64_t number, const char *expected)
{
	struct buf buf = BUF_INIT;

	number_write_grouped(&buf, number);
	CHECK_STR(buf, expected);
	buf_free(&buf);
}

static void
check_short(uint64_t number, const char *expected)
{
	struct buf buf = BUF_INIT;

	number_write_short(&buf, number);
	CHECK_STR(buf, expected);
	buf_free(&buf);
}

static void
check_time(const char *text, uint64_t expected)
{
	uint64_t seconds = 7;

	if (!CHECK(number_parse_time(text, &seconds)) || !CHECK(seconds == expected))
		printf("    of '%s'\n", text);
}

static void
test_short(void)
{
	check_short(0, "0");
	check_short(999, "999");
	check_short(1000, "1k");
	check_short(1049, "1k");
	check_short(1100, "1.1k");
	check_short(16849, "16.8k");
	check_short(16960, "17k");
	check_short(99949, "99.9k");
	check_short(99950, "100k");
	check_short(128000, "128k");
	check_short(999499, "999k");
	check_short(999500, "1M");
	check_short(1234567, "1.2M");
	check_short(1048576000, "1G");
	check_short(UINT64_MAX, "18446744T");
}

static void
check_bytes(uint64_t bytes, const char *expected)
{
	struct buf buf = BUF_INIT;

	number_write_size(&buf, bytes);
	CHECK_STR(buf, expected);
	buf_free(&buf);
}

static void
test_bytes(void)
{
	check_bytes(0, "0 B");
	check_bytes(999, "999 B");
	check_bytes(1000, "1 kB");
	check_bytes(1500, "2 kB");
	check_bytes(999499, "999 kB");
	check_bytes(999500, "1.0 MB");
}

static void
test_times(void)
{
	static const char *const bad[] = {
	    "", "s", "m30", "-1s", "1 h", "1w", "1ms", "1h30m", "3x", "9999999999999999d"};
	uint64_t seconds;

	check_time("90", 90);
	check_time("90s", 90);
	check_time("30m", 1800);
	check_time("1.5h", 5400);
	check_time("0.25d", 21600);
	check_time("0s", 0);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		if (!CHECK(!number_parse_time(bad[i], &seconds)))
			printf("    of '%s'\n", bad[i]);
}

int
main(void)
{
	test_short();
	test_bytes();
	test_times();
	test_numbers();
	test_lengths();
	test_shares();
	test_bad();
	test_sizes();
	test_window();
	check_grouped(0, "0");
	check_grouped(999, "999");
	check_grouped(1000, "1,000");
	check_grouped(1234567, "1,234,567");
	check_grouped(UINT64_MAX, "18,446,744,073,709,551,615");
	return unit_end();
}
