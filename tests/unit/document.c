/* Values over several lines: their end is the same however the bytes come. */

#include "face/input/array.h"

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

/* Reads the array, of which step bytes more come at a time. Returns its elements, each with a bar
 * behind it, and the last state as a digit. */
static struct str
read_array(const char *text, size_t step, struct buf *found)
{
	struct str left = str_from(text), value;
	enum document_state state = DOCUMENT_MORE;
	struct array array;
	size_t have = 0, len;

	buf_reset(found);
	CHECK(array_open(&array, left));
	while (state == DOCUMENT_MORE || state == DOCUMENT_ELEMENT) {
		bool is_all = have >= left.len;

		state =
		    array_next(&array, str_of(left.ptr, is_all ? left.len : have), &value, &len);
		if (state == DOCUMENT_MORE && is_all)
			break;
		if (state == DOCUMENT_MORE) {
			have += step;
			continue;
		}
		if (state == DOCUMENT_BROKEN)
			break;
		buf_add_str(found, value);
		buf_add_char(found, '|');
		left = str_of(left.ptr + len, left.len - len);
		have -= have < len ? have : len;
	}
	buf_add_fmt(found, "%d", (int)state);
	return buf_str(found);
}

static void
check_array(const char *text, const char *elements, enum document_state end)
{
	struct buf found = BUF_INIT, expected = BUF_INIT;

	buf_add_fmt(&expected, "%s%d", elements, (int)end);
	for (size_t step = 1; step <= strlen(text); step++)
		CHECK(str_eq(read_array(text, step, &found), buf_str(&expected)));
	buf_free(&found);
	buf_free(&expected);
}

static void
test_array(void)
{
	struct array array;

	check_array("[1]", "1|", DOCUMENT_WHOLE);
	check_array(" [ {\"a\":[1,2]} ,\n\"],\" , [3 , {}], true]  x",
	    "{\"a\":[1,2]}|\"],\"|[3 , {}]|true|", DOCUMENT_WHOLE);
	check_array("[]", "|", DOCUMENT_WHOLE);
	check_array("[{},", "{}|", DOCUMENT_MORE);
	check_array("[{},]", "{}|", DOCUMENT_BROKEN);
	check_array("[{}}", "", DOCUMENT_BROKEN);
	CHECK(!array_open(&array, STR("{}")));
	CHECK(!array_open(&array, STR(" ")));
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
	test_array();
	arena_free(&padded_arena);
	return unit_end();
}
