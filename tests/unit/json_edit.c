/* Splicing texts, and canonical texts. */

#include "base/buf.h"
#include "json/canon.h"
#include "json/edit.h"
#include "json/string.h"
#include "json/members.h"

#include "json_padded.h"
#include "unit.h"

static struct json_value
name_of(struct json_value object, const char *name)
{
	struct json_walk walk = json_walk_of(object);

	while (json_walk_next(&walk))
		if (json_is(walk.name, str_from(name)))
			return walk.name;
	return (struct json_value){.type = JSON_ABSENT};
}

/* Takes the members whose names are the letters of names, in that order, out of text. */
static void
check_remove(const char *text, const char *names, const char *expected)
{
	struct json_value object = parsed(text);
	struct buf buf = BUF_INIT;
	struct json_edit edit;
	struct json_scan scan;

	json_edit_init(&edit, json_span(object));
	for (; *names != '\0'; names++) {
		char name[2] = {*names, '\0'};

		json_edit_remove(&edit, name_of(object, name), json_find(object, str_from(name)));
	}
	json_edit_write(&edit, &buf);
	CHECK_STR(buf, expected);
	CHECK(json_scan(padded_at(buf_str(&buf), 0, ' '), NULL, &scan));
	json_edit_free(&edit);
	buf_free(&buf);
}

static void
test_remove(void)
{
	check_remove("{\"a\":1}", "", "{\"a\":1}");
	check_remove("{\"a\":1}", "a", "{}");
	check_remove("{ \"a\" : 1 }", "a", "{  }");
	check_remove("{\"a\":1,\"b\":2,\"c\":3}", "a", "{\"b\":2,\"c\":3}");
	check_remove("{\"a\":1,\"b\":2,\"c\":3}", "b", "{\"a\":1,\"c\":3}");
	check_remove("{\"a\":1,\"b\":2,\"c\":3}", "c", "{\"a\":1,\"b\":2}");
	check_remove("{\"a\":1,\"b\":2,\"c\":3}", "ab", "{\"c\":3}");
	check_remove("{\"a\":1,\"b\":2,\"c\":3}", "ba", "{\"c\":3}");
	check_remove("{\"a\":1,\"b\":2,\"c\":3}", "ac", "{\"b\":2}");
	check_remove("{\"a\":1,\"b\":2,\"c\":3}", "bc", "{\"a\":1}");
	check_remove("{\"a\":1,\"b\":2,\"c\":3}", "cb", "{\"a\":1}");
	check_remove("{\"a\":1,\"b\":2,\"c\":3}", "cab", "{}");
	check_remove("{\"a\": 1, \"b\": [2], \"c\": 3}", "b", "{\"a\": 1, \"c\": 3}");
	check_remove("{\"a\": 1 , \"b\": [2] , \"c\": 3 }", "cb", "{\"a\": 1  }");
}

static void
test_replace_and_add(void)
{
	struct json_value object = parsed("{ \"a\": {}, \"b\": [ 2 ], \"c\":{\"d\":1 } }");
	struct buf buf = BUF_INIT;
	struct json_edit edit;

	json_edit_init(&edit, json_span(object));
	json_edit_write(&edit, &buf);
	CHECK(str_eq(buf_str(&buf), json_span(object)));
	json_edit_add(&edit, object, STR("e"), STR("5"));
	json_edit_add(&edit, json_find(object, STR("c")), STR("f"), STR("[]"));
	json_edit_add(&edit, json_find(object, STR("a")), STR("g"), STR("7"));
	json_edit_add(&edit, json_find(object, STR("a")), STR("h\\n"), STR("\"\""));
	json_edit_add(&edit, object, STR("i"), STR("0"));
	json_edit_replace(&edit, json_span(json_find(object, STR("b"))), STR("null"));
	buf_reset(&buf);
	json_edit_write(&edit, &buf);
	CHECK_STR(buf,
	    "{ \"a\": {\"g\":7,\"h\\n\":\"\"}, \"b\": null, "
	    "\"c\":{\"d\":1,\"f\":[] },\"e\":5,\"i\":0 }");
	buf_free(&buf);
	json_edit_free(&edit);
}

/* Members that are removed and one that is added, in one object. */
static void
check_remove_and_add(const char *text, const char *names, const char *expected)
{
	struct json_value object = parsed(text);
	struct buf buf = BUF_INIT;
	struct json_edit edit;

	json_edit_init(&edit, json_span(object));
	json_edit_add(&edit, object, STR("y"), STR("8"));
	for (; *names != '\0'; names++) {
		char name[2] = {*names, '\0'};

		json_edit_remove(&edit, name_of(object, name), json_find(object, str_from(name)));
	}
	json_edit_add(&edit, object, STR("z"), STR("9"));
	json_edit_write(&edit, &buf);
	CHECK_STR(buf, expected);
	json_edit_free(&edit);
	buf_free(&buf);
}

static void
test_remove_and_add(void)
{
	check_remove_and_add("{}", "", "{\"y\":8,\"z\":9}");
	check_remove_and_add("{ }", "", "{\"y\":8,\"z\":9 }");
	check_remove_and_add("{\"a\":1}", "a", "{\"y\":8,\"z\":9}");
	check_remove_and_add("{ \"a\":1, \"b\":2 }", "ab", "{ \"y\":8,\"z\":9 }");
	check_remove_and_add("{\"a\":1,\"b\":2}", "a", "{\"b\":2,\"y\":8,\"z\":9}");
	check_remove_and_add("{\"a\":1, \"b\":\"{\"}", "a", "{\"b\":\"{\",\"y\":8,\"z\":9}");
	check_remove_and_add("{\"a\":1, \"b\":2}", "b", "{\"a\":1,\"y\":8,\"z\":9}");
}

/* More changes than the edit holds by itself, noted from the last to the first. */
static void
test_many(void)
{
	enum { COUNT = 1000 };
	struct buf text = BUF_INIT, expected = BUF_INIT, buf = BUF_INIT;
	struct json_edit edit;

	for (int i = 0; i < COUNT; i++)
		buf_add_fmt(&text, "%s%03d", i == 0 ? "" : ",", i);
	for (int round = 0; round < 2; round++) {
		if (round == 0)
			json_edit_init(&edit, buf_str(&text));
		else
			json_edit_reset(&edit, buf_str(&text));
		for (int i = COUNT - 1; i >= 0; i--) {
			struct str span = str_of(text.ptr + 4 * i, 3);
			char with[8];

			snprintf(with, sizeof with, "<%d>", i + round);
			json_edit_replace(&edit, str_of(span.ptr, 0), STR("a"));
			json_edit_replace(&edit, span, json_edit_keep(&edit, str_from(with)));
		}
		buf_reset(&expected);
		for (int i = 0; i < COUNT; i++)
			buf_add_fmt(&expected, "%sa<%d>", i == 0 ? "" : ",", i + round);
		buf_reset(&buf);
		json_edit_write(&edit, &buf);
		CHECK(str_eq(buf_str(&buf), buf_str(&expected)));
	}
	json_edit_free(&edit);
	buf_free(&text);
	buf_free(&expected);
	buf_free(&buf);
}

/* What is kept is handed out where it lies, and no piece is empty. */
static void
test_pieces(void)
{
	struct json_value object = parsed("{\"a\":1,\"b\":2}");
	const char *expected[] = {"{\"a\":", "7", ",", "\"c\":0,", "\"b\":2", ",\"d\":4", "}"};
	struct json_pieces pieces;
	struct json_edit edit;
	unsigned count = 0;

	json_edit_init(&edit, json_span(object));
	json_pieces_open(&pieces, &edit);
	CHECK(json_pieces_next(&pieces) && pieces.is_kept && pieces.piece.ptr == object.ptr);
	CHECK(pieces.piece.len == object.len && !json_pieces_next(&pieces));
	json_edit_add(&edit, object, STR("d"), STR("4"));
	json_edit_replace(&edit, str_of(name_of(object, "b").ptr, 0), STR("\"c\":0,"));
	json_edit_replace(&edit, json_span(json_find(object, STR("a"))), STR("7"));
	json_edit_replace(&edit, str_of(object.ptr + 1, 0), STR(""));
	json_pieces_open(&pieces, &edit);
	for (; json_pieces_next(&pieces); count++) {
		bool inside =
		    pieces.piece.ptr >= object.ptr && pieces.piece.ptr < object.ptr + object.len;

		if (count == 0) { /* cut where the change that changes nothing stands */
			CHECK_STR(pieces.piece, "{");
			CHECK(json_pieces_next(&pieces));
			CHECK_STR(pieces.piece, "\"a\":");
			continue;
		}
		CHECK(pieces.is_kept == inside);
		if (CHECK(count < sizeof expected / sizeof expected[0]))
			CHECK_STR(pieces.piece, expected[count]);
	}
	CHECK(count == sizeof expected / sizeof expected[0]);
	json_edit_free(&edit);
}

static void
check_canon(const char *text, const char *expected)
{
	struct arena arena = ARENA_INIT;
	struct buf buf = BUF_INIT;

	json_canon(parsed(text), &buf, &arena);
	CHECK_STR(buf, expected);
	buf_free(&buf);
	arena_free(&arena);
}

static struct hash
squeezed_hash(const char *text)
{
	struct buf scratch = BUF_INIT;
	struct json_spans spans = {.has_blank = strpbrk(text, " \n") != NULL,
	    .has_long_escape = strstr(text, "\\u") != NULL || strstr(text, "\\/") != NULL};
	struct hash hash = json_squeezed_hash(parsed(text), NULL, hash_seed(HASH_LABEL), &scratch);

	CHECK(hash_eq(
	    hash, json_squeezed_hash(parsed(text), &spans, hash_seed(HASH_LABEL), &scratch)));
	buf_free(&scratch);
	return hash;
}

static void
test_squeeze(void)
{
	static const char *const cases[][2] = {{"[ \"a \\n\" , 1 ]", "[\"a \\n\",1]"},
	    {"\"\\u0061\\\"\"", "\"a\\\"\""}, {"\"\\/\\\"\"", "\"/\\\"\""},
	    {"\"\\\\u0061\"", "\"\\\\u0061\""}, {"\"\\u000A\\u001F\"", "\"\\n\\u001f\""}};
	struct buf buf = BUF_INIT;
	struct hash hash;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		buf_reset(&buf);
		json_squeeze(parsed(cases[i][0]), &buf);
		CHECK_STR(buf, cases[i][1]);
		hash = squeezed_hash(cases[i][0]);
		CHECK(hash_eq(hash, squeezed_hash(cases[i][1])));
		for (size_t k = 0; k < i; k++)
			CHECK(!hash_eq(hash, squeezed_hash(cases[k][0])));
	}
	CHECK(hash_eq(squeezed_hash("[ [1 ,\"a\"]\n]"), squeezed_hash("[[1,\"a\"]]")));
	CHECK(!hash_eq(squeezed_hash("[\"a\",\"\"]"), squeezed_hash("[\"\",\"a\"]")));
	buf_free(&buf);
}

static void
test_canon(void)
{
	check_canon(" 1.50 ", "1.50");
	check_canon("\"\\u0061\\/\"", "\"a/\"");
	check_canon("\"a\\\\/\\\"\\n\\f\x7f\"", "\"a\\\\/\\\"\\n\\f\x7f\"");
	check_canon("\"\\\\\\/\"", "\"\\\\/\"");
	check_canon("\"\\\\u0061\\u000A\"", "\"\\\\u0061\\n\"");
	check_canon("[ ]", "[]");
	check_canon("{\"\\u0062\":1,\"\\u0061\":2,\"\\u0062\":0}", "{\"a\":2,\"b\":1,\"b\":0}");
	check_canon("{ }", "{}");
	check_canon("[ 1 , [ ] , { } , null ]", "[1,[],{},null]");
	check_canon("{\"b\":1,\"a\":2}", "{\"a\":2,\"b\":1}");
	check_canon(
	    "{\"b\":[{\"d\":{},\"c\":[1,2]},[3]],\"ab\":true,\"a\":{\"z\":0,\"y\":\"\\n\"}}",
	    "{\"a\":{\"y\":\"\\n\",\"z\":0},\"ab\":true,\"b\":[{\"c\":[1,2],\"d\":{}},[3]]}");
	check_canon("{\"b\":1,\"\\u0062\":2,\"a\":3,\"b\":0,\"a\":4}",
	    "{\"a\":3,\"a\":4,\"b\":1,\"b\":2,\"b\":0}");
	check_canon(
	    "{\"\xc3\xa9\":1,\"\\u00e8\":2,\"z\":3}", "{\"z\":3,\"\xc3\xa8\":2,\"\xc3\xa9\":1}");
}

int
main(void)
{
	test_remove();
	test_replace_and_add();
	test_remove_and_add();
	test_many();
	test_pieces();
	for (int isa = JSON_ISA_SCALAR; isa <= JSON_ISA_BEST; isa++)
		if (json_scan_use((enum json_isa)isa))
			test_canon();
	test_squeeze();
	arena_free(&padded_arena);
	return unit_end();
}
