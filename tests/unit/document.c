/* Values over several lines: their end is the same however the bytes come. */

#include "face/document.h"

#include <string.h>

#include "json_padded.h"
#include "unit.h"

/* Reads text in steps of so many bytes. Returns the state; at is where reading ended. */
static enum document_state
read_by(const char *text, size_t step, size_t *at)
{
	struct str whole = str_from(text);
	struct document document;
	enum document_state state = DOCUMENT_MORE;

	document_init(&document);
	for (size_t len = step; state == DOCUMENT_MORE; len += step) {
		state =
		    document_read(&document, str_of(whole.ptr, len < whole.len ? len : whole.len));
		if (len >= whole.len)
			break;
	}
	*at = document.at;
	return state;
}

static void
check_read(const char *text, enum document_state expected, size_t end)
{
	size_t at;

	for (size_t step = 1; step <= strlen(text); step++) {
		CHECK(read_by(text, step, &at) == expected);
		CHECK(expected != DOCUMENT_WHOLE || at == end);
	}
}

static void
test_unfold(void)
{
	struct buf line = BUF_INIT;

	CHECK(document_unfold(padded("{\n  \"a\": [\n    1\n  ]\n}"), &line));
	CHECK_STR(buf_str(&line), "{\"a\": [1]}");
	CHECK(!document_unfold(padded("{\n  \"a\": tru\n}"), &line));
	buf_free(&line);
}

int
main(void)
{
	check_read("{}", DOCUMENT_WHOLE, 2);
	check_read("{\n\"a\": [1, {\"b\\\"]\": \"}\"}]\n}\n{", DOCUMENT_WHOLE, 27);
	check_read("[\"\\\\\"]", DOCUMENT_WHOLE, 6);
	check_read("[1,\n2", DOCUMENT_MORE, 0);
	check_read("{\"a\":\n", DOCUMENT_MORE, 0);
	check_read("{\"a\" 1}", DOCUMENT_BROKEN, 0);
	check_read("[1}", DOCUMENT_BROKEN, 0);
	check_read("[,", DOCUMENT_BROKEN, 0);
	check_read("{\"a\":1,}", DOCUMENT_BROKEN, 0);
	check_read("[\"a\nb\"]", DOCUMENT_BROKEN, 0);
	test_unfold();
	arena_free(&padded_arena);
	return unit_end();
}
