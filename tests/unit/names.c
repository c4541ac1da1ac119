/* Names in texts: what is one, where it begins and ends, at any depth of JSON. */

#include "policy/summarizer/names.h"

#include "base/buf.h"

#include "unit.h"

static struct buf found;

static bool
add(void *context, struct str name)
{
	(void)context;
	if (found.len > 0)
		buf_add_char(&found, ' ');
	buf_add_str(&found, name);
	return true;
}

static void
check(const char *text, const char *expected)
{
	buf_reset(&found);
	names_of_text(str_from(text), add, NULL);
	CHECK_STR(found, expected);
}

int
main(void)
{
	check("", "");
	check("plain words, and/or e.g. this one. Two", "");
	check("see src/a.c, (bb.h) and ./run; ../up ~/home /etc/hosts.",
	    "src/a.c bb.h ./run ../up ~/home /etc/hosts");
	check("snake_case camelCase PascalCase Word WORD MAX_SIZE",
	    "snake_case camelCase PascalCase MAX_SIZE");
	check("--keep-turns -x --X os.path.join a.b", "--keep-turns os.path.join");
	check("404 12 1.2.3 TS2345 deadbee1 deadbeef v1.2", "404 1.2.3 TS2345 deadbee1 v1.2");
	check("a_b ab_ _abc", "");
	check("1,234 -404- a/b.c, deadbeef- ABC-1 dead-beef1", "234 404 a/b.c");
	check("word_x\\nword\\nx_word", "word_x x_word");
	check("\\nfoo_bar\\tfoo_baz \\\\nfoo_one \\\\\\\"foo_two\\u00e4foo_three",
	    "foo_bar foo_baz foo_one foo_two foo_three");
	buf_free(&found);
	return unit_end();
}
