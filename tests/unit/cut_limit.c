/* Cutting texts to a limit: never over it, valid UTF-8, shorter as JSON, and head and tail as was
 * asked, for texts of all kinds of characters. */

#include "policy/text/cut_limit.h"

#include "base/text/utf8.h"
#include "json/write.h"

#include "unit.h"

enum { SPARE = 32, ROUNDS = 20000 };

static uint32_t state = 1;

static unsigned
random_below(unsigned bound)
{
	state = state * 1664525u + 1013904223u;
	return (state >> 8) % bound;
}

static const char *const pieces[] = {
    "a", "word ", "\n", "\"", "\\", "\x01", "\t", "é", "…", "漢", "😀", "error: x\n", "12,345"};

enum { PIECES = sizeof pieces / sizeof pieces[0] };

static void
make_text(struct buf *text)
{
	unsigned first = random_below(PIECES), kinds = 1 + random_below(PIECES - first);

	buf_reset(text);
	for (unsigned i = 10 + random_below(800); i > 0; i--)
		buf_add_str(text, str_from(pieces[first + random_below(kinds)]));
}

static size_t
json_len(struct str text)
{
	struct buf json = BUF_INIT;
	size_t len;

	json_write_string(&json, text);
	len = json.len;
	buf_free(&json);
	return len;
}

static void
check_cut(const struct cut_limit *limit, struct str text)
{
	struct buf cut = BUF_INIT;
	bool ok;

	cut_limit_apply(limit, text, SPARE, &cut);
	ok = CHECK(!cut_limit_passed(limit, buf_str(&cut)));
	ok = CHECK(utf8_valid(buf_str(&cut)) == cut.len) && ok;
	ok = CHECK(json_len(buf_str(&cut)) + SPARE <= json_len(text)) && ok;
	if (!ok)
		printf("    unit %d, size %ju, head %ju: '%.*s'\n    of '%.*s'\n", limit->size.unit,
		    (uintmax_t)limit->size.value, (uintmax_t)limit->head, STR_ARG(buf_str(&cut)),
		    STR_ARG(text));
	buf_free(&cut);
}

static void
test_random(void)
{
	static const enum size_unit units[] = {SIZE_PLAIN, SIZE_CHARACTERS, SIZE_TOKENS};
	struct estimator estimator;
	struct buf text = BUF_INIT;
	unsigned cuts = 0;

	CHECK(estimator_init(&estimator, "bytes/4"));
	for (unsigned i = 0; i < ROUNDS; i++) {
		struct cut_limit limit = {.size = {units[random_below(3)], 40 + random_below(260)},
		    .head = random_below(5) * SIZE_WHOLE / 4,
		    .estimator = &estimator};

		make_text(&text);
		if (!cut_limit_passed(&limit, buf_str(&text)))
			continue;
		check_cut(&limit, buf_str(&text));
		cuts++;
	}
	CHECK(cuts > ROUNDS / 4);
	buf_free(&text);
	estimator_close(&estimator);
}

static void
check_result(struct cut_limit limit, const char *text, const char *expected)
{
	struct buf cut = BUF_INIT;

	CHECK(cut_limit_passed(&limit, str_from(text)));
	cut_limit_apply(&limit, str_from(text), 0, &cut);
	CHECK_STR(buf_str(&cut), expected);
	buf_free(&cut);
}

/* A text of one byte, or one character, over the limit, and of just the limit. */
static void
test_borders(void)
{
	struct cut_limit bytes = {.size = {SIZE_PLAIN, 40}, .head = SIZE_WHOLE / 2};
	struct cut_limit characters = {.size = {SIZE_CHARACTERS, 40}, .head = SIZE_WHOLE / 4};

	check_result(bytes, "0123456789012345678901234567890123456789A",
	    "012345678901234567…34567890123456789A");
	check_result(characters, "ééééééééééééééééééééééééééééééééééééééééA",
	    "ééééééééé…ééééééééééééééééééééééééééA");
	CHECK(!cut_limit_passed(&bytes, STR("0123456789012345678901234567890123456789")));
}

int
main(void)
{
	test_random();
	test_borders();
	return unit_end();
}
