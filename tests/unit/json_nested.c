/* JSON inside a string of JSON. */

#include "json/nested.h"

#include "json/members.h"

#include "json_padded.h"
#include "unit.h"

/* Replaces member a of what is nested in the string. */
static void
check_edit(const char *string, const char *with, const char *expected)
{
	struct json_nested nested;
	struct json_edit edit;
	struct arena arena = ARENA_INIT;
	struct buf buf = BUF_INIT;

	json_nested_read(&nested, parsed(string), &arena);
	json_edit_init(&edit, nested.text);
	json_edit_replace(&edit, json_span(json_find(nested.value, STR("a"))), str_from(with));
	json_nested_write(&edit, &buf);
	CHECK_STR(buf, expected);
	buf_free(&buf);
	json_edit_free(&edit);
	arena_free(&arena);
}

static void
check_absent(const char *string, const char *text)
{
	struct json_nested nested;
	struct arena arena = ARENA_INIT;

	json_nested_read(&nested, parsed(string), &arena);
	CHECK(nested.value.type == JSON_ABSENT);
	CHECK_STR(nested.text, text);
	arena_free(&arena);
}

/* Line ends between tokens are blanks, and the text is one value or none. */
static void
check_line(const char *string, const char *expected)
{
	struct arena arena = ARENA_INIT;
	struct json_value value = json_nested_line(parsed(string), &arena);

	CHECK((value.type == JSON_ABSENT) == (expected == NULL));
	if (expected != NULL)
		CHECK_STR(json_span(value), expected);
	arena_free(&arena);
}

int
main(void)
{
	check_edit("\"{\\\"a\\\":\\\"x\\\"}\"", "\"\\n\"", "\"{\\\"a\\\":\\\"\\\\n\\\"}\"");
	/* What surrounds the value stays, but for its escapes, which are the shortest. */
	check_edit("\" { \\\"\\u0061\\\" : 1,\\n\\\"b\\\":\\\"\\\\u00e9\\\"} \"", "2",
	    "\" { \\\"a\\\" : 2,\\n\\\"b\\\":\\\"\\\\u00e9\\\"} \"");
	check_absent("\"\"", "");
	check_absent("\"{\"", "{");
	check_absent("\"ls -l\"", "ls -l");
	check_absent("\"{} {}\"", "{} {}");
	check_line("\"[1,\\n2\\r]\"", "[1, 2 ]");
	check_line("\"[1\"", NULL);
	check_line("\"\"", NULL);
	arena_free(&padded_arena);
	return unit_end();
}
