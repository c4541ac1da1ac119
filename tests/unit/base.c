/* The small modules that all others stand on: memory, buffers, strings, statuses, faults. */

#include <errno.h>
#include <stdalign.h>
#include <stdint.h>
#include <time.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/text/distance.h"
#include "base/fault.h"
#include "base/mem.h"
#include "base/status.h"

#include "unit.h"

/* Every piece is aligned, apart from all others, and keeps its bytes. */
static void
test_arena(void)
{
	enum { PIECES = 3000 };
	struct arena arena = ARENA_INIT;
	static unsigned char *piece[PIECES];
	bool kept = true, aligned = true;
	unsigned char *zeros;

	for (unsigned i = 0; i < PIECES; i++) {
		piece[i] = arena_alloc(&arena, i % 97 + 1);
		aligned &= (uintptr_t)piece[i] % alignof(max_align_t) == 0;
		memset(piece[i], (int)(i % 251), i % 97 + 1);
	}
	for (unsigned i = 0; i < PIECES; i++)
		for (unsigned at = 0; at <= i % 97; at++)
			kept &= piece[i][at] == i % 251;
	CHECK(aligned);
	CHECK(kept);
	arena_reset(&arena);
	memset(arena_alloc(&arena, 100000), 1, 100000);
	arena_reset(&arena);
	zeros = arena_zalloc(&arena, 100, 1000);
	for (unsigned i = 0; i < 100000; i++)
		kept &= zeros[i] == 0;
	CHECK(kept);
	CHECK_STR(arena_copy(&arena, STR("harbour")), "harbour");
	arena_free(&arena);
}

static void
test_buf(void)
{
	struct buf buf = BUF_INIT;
	bool padded = true;

	for (int i = 0; i < 1000; i++)
		buf_add_fmt(&buf, "%d,", i % 10);
	CHECK(buf.len == 2000 && memcmp(buf.ptr + 1998, "9,", 2) == 0);
	buf_add(&buf, NULL, 0);
	CHECK(buf.len == 2000);
	memset(buf_reserve(&buf, BUF_PADDING), 1, BUF_PADDING);
	buf_pad(&buf);
	for (int i = 0; i < BUF_PADDING; i++)
		padded &= buf.ptr[2000 + i] == 0;
	CHECK(padded && buf.len == 2000);
	buf_set(&buf, STR("mole"));
	CHECK_STR(buf, "mole");
	buf_free(&buf);
	CHECK(buf.ptr == NULL && buf.len == 0);
	CHECK(mem_grow(0, 1) == 4 && mem_grow(16, 17) == 32 && mem_grow(64, 20) == 64);
	CHECK(mem_grow(10, 11) == 20 && mem_grow(3, 4) == 4 && mem_grow(16, 16) == 16);
	CHECK(mem_grow_within(16, 17, 20) == 20 && mem_grow_within(16, 17, 90) == 32);
}

static void
test_find(void)
{
	char sea[200];

	/* At every place of a long text, and at none; beside what begins and ends alike. */
	for (size_t at = 0; at + 4 <= sizeof sea; at++) {
		memset(sea, 'd', sizeof sea);
		CHECK(str_find(str_of(sea, sizeof sea), STR("dock")) == NULL);
		CHECK(str_find(str_of(sea, sizeof sea), STR("dcd")) == NULL);
		memcpy(sea + at, "dock", 4);
		CHECK(str_find(str_of(sea, sizeof sea), STR("dock")) == sea + at);
		CHECK(str_find(str_of(sea, at + 3), STR("dock")) == NULL);
	}
}

static void
test_str(void)
{
	static const char *const words[] = {"", "a b", "", "c", ""};
	const char *list = ",a b,,c,";
	struct str word;

	CHECK(str_compare(STR("a"), STR("b")) < 0 && str_compare(STR("b"), STR("a")) > 0);
	CHECK(str_compare(STR("ab"), STR("a")) > 0 && str_compare(STR(""), STR("a")) < 0);
	CHECK(str_compare(STR("b"), STR("ab")) > 0 && str_compare(STR("ab"), STR("ab")) == 0);
	CHECK_STR(str_trim(STR(" \t\r\n a b \t\r\n")), "a b");
	CHECK(str_trim(STR(" \n")).len == 0);
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		CHECK(str_take_word(&list, ',', &word));
		CHECK_STR(word, words[i]);
	}
	CHECK(!str_take_word(&list, ',', &word) && list == NULL);
	CHECK(str_find(STR("the dock"), STR("dock")) != NULL);
	CHECK(str_find(STR("the dock"), STR("docks")) == NULL);
	CHECK(str_find(str_of(NULL, 0), STR("d")) == NULL);
}

/* Each place of a list is looked at, and nothing but the list. */
static void
test_list_of_words(void)
{
	static const struct str list[] = {STR_INIT("mo"), STR_INIT("le"), STR_INIT("pier")};

	CHECK(STR_IS_ONE_OF(STR("mo"), list) && STR_IS_ONE_OF(STR("pier"), list));
	CHECK(!STR_IS_ONE_OF(STR("piers"), list) && !STR_IS_ONE_OF(STR(""), list));
	CHECK(STR_HAS_ANY(STR("a mole"), list) && STR_HAS_ANY(STR("piers"), list));
	CHECK(!STR_HAS_ANY(STR("a quay"), list));
	CHECK(STR_HAS_ANY_PREFIX(STR("mole"), list) && STR_HAS_ANY_PREFIX(STR("piers"), list));
	CHECK(!STR_HAS_ANY_PREFIX(STR("a mole"), list));
	CHECK(str_is_word_of(STR("b"), "a|b", '|') && str_is_word_of(STR("a"), "a|b", '|'));
	CHECK(!str_is_word_of(STR("a|b"), "a|b", '|') && !str_is_word_of(STR("c"), "a|b", '|'));
	CHECK(*str_find_break(STR("a\rb\n")) == '\r' && *str_find_break(STR("a\nb\r")) == '\n');
	CHECK(
	    *str_find_break(str_of("ab\n", 2)) == '\n' && str_find_break(str_of(NULL, 0)) == NULL);
	CHECK(str_count(STR("nn\nn"), 'n') == 3 && str_count(str_of(NULL, 0), 'n') == 0);
	CHECK(str_is_hex(STR("09af")) && !str_is_hex(STR("0g")) && !str_is_hex(STR("A0")));
	CHECK(!str_is_hex(str_of("0\0", 2)));
}

/* Each status of the list is worse than those before it. */
static void
test_status(void)
{
	static const enum status order[] = {STATUS_OK, STATUS_DATA, STATUS_NO, STATUS_UNAVAILABLE,
	    STATUS_LATER, STATUS_NO_INPUT, STATUS_USAGE, STATUS_CONFIG, STATUS_INVARIANT, STATUS_OS,
	    STATUS_CANT_CREATE, STATUS_IO};
	enum { STATUSES = sizeof order / sizeof order[0] };

	for (int i = 0; i < STATUSES; i++)
		for (int j = 0; j < STATUSES; j++)
			CHECK(status_worse(order[i], order[j]) == order[i > j ? i : j]);
	CHECK(status_of_error(ENOMEM, STATUS_IO) == STATUS_OS);
	CHECK(status_of_error(EMFILE, STATUS_IO) == STATUS_OS);
	CHECK(status_of_error(ENFILE, STATUS_IO) == STATUS_OS);
	CHECK(status_of_error(EAGAIN, STATUS_IO) == STATUS_OS);
	CHECK(status_of_error(EIO, STATUS_IO) == STATUS_IO);
	CHECK(status_of_error(ENOENT, STATUS_NO_INPUT) == STATUS_NO_INPUT);
}

/* The first fault is the one that is told. */
static void
test_fault(void)
{
	struct fault fault = FAULT_INIT;

	CHECK(!fault_is_set(&fault));
	CHECK(!fault_set(&fault, STATUS_IO, "cannot write '%s'", "out"));
	CHECK(!fault_set(&fault, STATUS_DATA, "something else"));
	CHECK(fault_is_set(&fault) && fault.status == STATUS_IO);
	CHECK_STR(fault.text, "cannot write 'out'");
	fault_free(&fault);
	CHECK(!fault_is_set(&fault));
}

/* Edits of a byte: in, out, another. */
static void
test_distance(void)
{
	char word[DISTANCE_MAX + 1];

	CHECK(distance_between(STR(""), STR("abc")) == 3);
	CHECK(distance_between(STR("keep"), STR("keep")) == 0);
	CHECK(distance_between(STR("keep"), STR("keen")) == 1);
	CHECK(distance_between(STR("keep"), STR("kep")) == 1);
	CHECK(distance_between(STR("kep"), STR("keep")) == 1);
	CHECK(distance_between(STR("kitten"), STR("sitting")) == 3);
	memset(word, 'a', sizeof word);
	CHECK(distance_between(str_of(word, DISTANCE_MAX - 1), STR("a")) == DISTANCE_MAX - 2);
	CHECK(distance_between(str_of(word, DISTANCE_MAX), STR("a")) == DISTANCE_MAX);
	CHECK(distance_between(STR("a"), str_of(word, DISTANCE_MAX)) == DISTANCE_MAX);
}

static int64_t
nanoseconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Milliseconds of the clock that never goes back. */
static void
test_clock(void)
{
	int64_t before = nanoseconds(), now = clock_ms(), after = nanoseconds();

	CHECK(before / 1000000 <= now && now <= after / 1000000);
}

int
main(void)
{
	test_arena();
	test_clock();
	test_distance();
	test_buf();
	test_str();
	test_list_of_words();
	test_find();
	test_status();
	test_fault();
	return unit_end();
}
