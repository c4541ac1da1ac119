/* Walking containers, and that each path skips values alike. */

#include "base/buf.h"
#include "json/json_hold.h"
#include "json/members.h"
#include "json/string.h"

#include "json_padded.h"
#include "unit.h"

static void
test_empty(void)
{
	static const char *const texts[] = {"[]", "{}", "[ ]", "{\n}", "1", "\"[]\"", "null"};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct json_walk walk = json_walk_of(parsed(texts[i]));

		CHECK(!json_walk_next(&walk));
		CHECK(!json_walk_next(&walk));
	}
}

static void
test_array(void)
{
	static const char *const spans[] = {
	    "1", "-2.5E+3", "\"a]\\\"\"", "[ [ ] ]", "{\"]\":\"}\"}", "true", "false", "null"};
	static const enum json_type types[] = {JSON_NUMBER, JSON_NUMBER, JSON_STRING, JSON_ARRAY,
	    JSON_OBJECT, JSON_TRUE, JSON_FALSE, JSON_NULL};
	struct json_walk walk;

	walk = json_walk_of(
	    parsed("[1, -2.5E+3 ,\"a]\\\"\",[ [ ] ],{\"]\":\"}\"}\n,true,false,null ]"));
	for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++) {
		CHECK(json_walk_next(&walk));
		CHECK_STR(walk.value, spans[i]);
		CHECK(walk.value.type == types[i] && walk.name.type == JSON_ABSENT);
		CHECK(walk.value.escaped == (types[i] == JSON_STRING));
	}
	CHECK(!json_walk_next(&walk));
}

static void
test_object(void)
{
	struct json_walk walk = json_walk_of(parsed("{ \"a\" : 1 ,\"\\\"\":{},\"\":\"\"}"));

	CHECK(json_walk_next(&walk));
	CHECK_STR(walk.name, "\"a\"");
	CHECK_STR(walk.value, "1");
	CHECK(json_walk_next(&walk));
	CHECK_STR(walk.name, "\"\\\"\"");
	CHECK(walk.name.escaped);
	CHECK_STR(walk.value, "{}");
	CHECK(json_walk_next(&walk));
	CHECK_STR(walk.name, "\"\"");
	CHECK(!walk.name.escaped);
	CHECK_STR(walk.value, "\"\"");
	CHECK(!json_walk_next(&walk));
}

static void
test_find(void)
{
	static const struct str list[] = {
	    STR_INIT("id"), STR_INIT("a long name"), STR_INIT("none")};
	struct json_value object = parsed("{\"x\":0,\"a long name\":1,\"i\\u0064\":2,\"id\":3}");
	struct json_value member[3];
	struct json_names names;

	JSON_NAMES_INIT(&names, list, 3);
	json_pick(object, &names, member);
	CHECK_STR(member[0], "2");
	CHECK_STR(member[1], "1");
	CHECK(member[2].type == JSON_ABSENT);
	json_pick(parsed("[\"id\"]"), &names, member);
	CHECK(member[0].type == JSON_ABSENT);
	CHECK_STR(json_find(object, STR("id")), "2");
	CHECK(json_find(object, STR("i")).type == JSON_ABSENT);
	CHECK(json_find(parsed("[]"), STR("id")).type == JSON_ABSENT);
}

/* As many names as have room, so that their slots collide; a scan takes the first of them. The last
 * one that it takes is repeated. */
static void
test_many_names(void)
{
	struct str list[JSON_NAMES_MAX];
	char bytes[JSON_NAMES_MAX][16];
	struct json_value member[JSON_NAMES_MAX];
	struct json_names names;
	struct buf text = BUF_INIT;
	struct json_scan scan;

	for (unsigned i = 0; i < JSON_NAMES_MAX; i++) {
		int len = snprintf(bytes[i], sizeof bytes[i], "%s%u", i % 2 ? "" : "same_head", i);

		list[i] = str_of(bytes[i], (size_t)len);
		buf_add_fmt(&text, "%c\"%s\":%u", i == 0 ? '{' : ',', bytes[i], i);
	}
	buf_add_fmt(&text, ",\"other\":1,\"%s\":2}", bytes[JSON_SCAN_NAMES_MAX - 1]);
	JSON_NAMES_INIT(&names, list, JSON_SCAN_NAMES_MAX);
	CHECK(json_scan(padded_at(buf_str(&text), 0, ' '), &names, &scan));
	for (unsigned i = 0; i < JSON_SCAN_NAMES_MAX; i++)
		CHECK(json_integer(scan.member[i], -1) == i);
	json_names_init(&names, list, JSON_NAMES_MAX);
	json_pick(scan.value, &names, member);
	for (unsigned i = 0; i < JSON_NAMES_MAX; i++)
		CHECK(json_integer(member[i], -1) == i);
	CHECK(scan.repeated == UINT64_C(1) << (JSON_SCAN_NAMES_MAX - 1));
	buf_free(&text);
}

/* One element with a run of count times piece in it, by each path. */
static void
check_skip(struct str open, struct str piece, struct str close, size_t count)
{
	struct buf text = BUF_INIT;
	struct json_scan scan;
	struct json_walk walk;

	buf_add_char(&text, '[');
	buf_add_str(&text, open);
	for (size_t i = 0; i < count; i++)
		buf_add_str(&text, piece);
	buf_add_str(&text, close);
	buf_add_str(&text, STR(",7]"));
	CHECK(json_scan(padded_at(buf_str(&text), count % 64, '"'), NULL, &scan));
	for (int isa = JSON_ISA_SCALAR; isa <= JSON_ISA_AVX2; isa++) {
		if (!json_scan_use((enum json_isa)isa))
			continue;
		walk = json_walk_of(scan.value);
		CHECK(json_walk_next(&walk) && walk.value.len == text.len - 4);
		CHECK(walk.value.escaped == (*open.ptr == '"' && count > 0 && *piece.ptr == '\\'));
		CHECK(json_walk_next(&walk));
		CHECK_STR(walk.value, "7");
		CHECK(!json_walk_next(&walk));
	}
	json_scan_use(JSON_ISA_BEST);
	buf_free(&text);
	arena_reset(&padded_arena);
}

static void
test_skip(void)
{
	for (size_t count = 0; count < 150; count++) {
		check_skip(STR("\""), STR("a"), STR("\""), count);
		check_skip(STR("\""), STR("\\\\"), STR("\""), count);
		check_skip(STR("\""), STR("\\\""), STR("\""), count);
		check_skip(STR("\""), STR("\\\\\\\""), STR("\""), count);
		check_skip(STR("[\""), STR("]"), STR("\"]"), count);
		check_skip(STR("[\""), STR("\\\""), STR("]\"]"), count);
		check_skip(STR("[\"\""), STR(",\"\\\\]\""), STR("]"), count);
		check_skip(STR("[0"), STR(",[]"), STR("]"), count);
		check_skip(STR("[0"), STR(",{\"\":[[]]}"), STR(",{}]"), count);
		check_skip(STR("{\"\":0"), STR(",\"}\":[\"[\"]"), STR("}"), count);
	}
}

/* A text read again gives what its scan gave. */
static void
test_reread(void)
{
	static const struct str list[] = {STR_INIT("id"), STR_INIT("none"), STR_INIT("list")};
	static const char *const texts[] = {"{}", " { } ", "[1,\"id\"]", "\"id\"", "-1.5e3", "null",
	    "{\"id\":1}", "{ \"x\" : {\"id\":0} , \"i\\u0064\" : \"\\\"}\" , \"id\" : 2 } ",
	    "{\"list\":[{\"id\":\"]\"},[]],\"id\":{\"list\":\"a\"}}"};
	struct json_scan scan, again = {.error = "", .error_at = 1, .repeated = 1};
	struct json_names names;

	JSON_NAMES_INIT(&names, list, 3);
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct str text = padded(texts[i]);

		CHECK(json_scan(text, &names, &scan));
		json_reread(text, &names, NULL, 0, &again);
		CHECK(again.error == NULL && again.error_at == 0 && again.repeated == 0);
		CHECK(again.value.ptr == scan.value.ptr && again.value.len == scan.value.len);
		CHECK(again.value.type == scan.value.type);
		for (size_t j = 0; j < 3; j++) {
			CHECK(again.member[j].ptr == scan.member[j].ptr);
			CHECK(again.member[j].len == scan.member[j].len);
			CHECK(again.member[j].type == scan.member[j].type);
			CHECK(again.member[j].escaped == scan.member[j].escaped);
		}
	}
}

/* A value that is among the spans is not read again: what they say of it holds. */
static void
test_spans(void)
{
	struct json_value list = json_value_at(padded("[[1],[2],3]").ptr);
	struct json_spans spans = {.count = 1, .value = {{list.ptr + 5, 3, JSON_NULL, 0}}};
	struct json_walk walk;

	CHECK(json_hold_spans(json_span(list), &spans));
	walk = json_walk_of(list);
	CHECK(json_walk_next(&walk) && walk.value.type == JSON_ARRAY);
	CHECK(json_walk_next(&walk) && walk.value.type == JSON_NULL && walk.value.len == 3);
	CHECK(json_walk_next(&walk) && walk.value.type == JSON_NUMBER);
	CHECK(!json_walk_next(&walk));
	json_release();
	CHECK(!json_hold_spans(json_span(list), NULL));
}

/* Picking from what the scan noted is picking from the bytes, whether they all fit or not. */
static void
check_noted(struct str line)
{
	static const struct str list[] = {
	    STR_INIT("a"), STR_INIT("in"), STR_INIT("m3"), STR_INIT("m40"), STR_INIT("n70")};
	enum { COUNT = sizeof list / sizeof list[0] };
	struct json_value noted[COUNT], read[COUNT];
	struct json_spans spans;
	struct json_names names;
	struct json_scan scan;

	JSON_NAMES_INIT(&names, list, COUNT);
	CHECK(json_scan_line(line, NULL, &scan, &spans) == line.len);
	for (int in = 0; in < 2; in++) {
		struct json_value object = in ? json_find(scan.value, STR("in")) : scan.value;

		CHECK(json_hold_spans(json_span(scan.value), &spans));
		json_pick(object, &names, noted);
		json_release();
		json_pick(object, &names, read);
		for (size_t i = 0; i < COUNT; i++)
			CHECK(noted[i].ptr == read[i].ptr && noted[i].len == read[i].len &&
			    noted[i].type == read[i].type && noted[i].escaped == read[i].escaped);
	}
}

static void
test_noted(void)
{
	struct buf text = BUF_INIT;

	check_noted(padded("{}\n"));
	check_noted(padded("{\"\\u0061\":\"\\n\",\"in\":{},\"a\":1}\n"));
	check_noted(
	    padded("{ \"x\":{\"a\":2}, \"in\" : {\"m3\":[{\"a\":0}],\"a\":{\"a\":3},\"a\":4},"
		   "\"in\":{\"a\":5}}\n"));
	for (int outer = 0; outer < 50; outer += 7)
		for (int inner = 0; inner < 90; inner += 7) {
			buf_reset(&text);
			buf_add_str(&text, STR("{\"in\":{\"x\":{}"));
			for (int i = 0; i < inner; i++)
				buf_add_fmt(&text, ",\"n%d\":%d", i, i);
			buf_add_str(&text, STR(",\"a\":0}"));
			for (int i = 0; i < outer; i++)
				buf_add_fmt(&text, ",\"m%d\":{\"a\":%d}", i, i);
			buf_add_str(&text, STR(",\"a\":true}\n"));
			buf_pad(&text);
			check_noted(buf_str(&text));
		}
	buf_free(&text);
}

/* Adds all values in value, in their order. */
static void
add_values(struct json_value value, struct buf *values)
{
	buf_add(values, &value, sizeof value);
	for (struct json_walk walk = json_walk_of(value); json_walk_next(&walk);)
		add_values(walk.value, values);
}

/* Checks that the values in value are those that were seen before. */
static void
check_values(struct json_value value, const struct buf *seen)
{
	struct buf values = BUF_INIT;
	const struct json_value *is, *was = (const struct json_value *)(const void *)seen->ptr;

	add_values(value, &values);
	is = (const struct json_value *)(const void *)values.ptr;
	CHECK(values.len == seen->len);
	for (size_t i = 0; i < values.len / sizeof *is && values.len == seen->len; i++)
		CHECK(is[i].ptr == was[i].ptr && is[i].len == was[i].len &&
		    is[i].type == was[i].type && is[i].escaped == was[i].escaped);
	buf_free(&values);
}

/* How many of the values are held. */
static unsigned
count_held(const struct buf *seen)
{
	const struct json_value *value = (const struct json_value *)(const void *)seen->ptr;
	unsigned count = 0;

	for (size_t i = 0; i < seen->len / sizeof *value; i++)
		count += json_held(value[i].ptr).type != JSON_ABSENT;
	return count;
}

/* A document of messages, whose texts have brackets and quotes. */
static void
test_hold(void)
{
	struct buf text = BUF_INIT, seen = BUF_INIT;
	struct json_value line, document, short_text = parsed("[[1],[2]]");
	struct json_spans spans;

	buf_add_str(&text, STR(" {\"messages\":[0"));
	for (unsigned i = 0; i < 200; i++) {
		buf_add_str(&text, STR(",{\"parts\":[{\"text\":\""));
		for (unsigned k = 0; k < i; k++)
			buf_add_str(&text, i % 2 ? STR("[\\\"]} ") : STR("}{plain["));
		buf_add_str(&text, STR("\"},[[],{}],null]}"));
	}
	/* Long values deeper than those that are noted. */
	for (unsigned i = 0; i < 40; i++)
		buf_add_str(&text, STR(",[[\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"]"));
	for (unsigned i = 0; i < 40; i++)
		buf_add_char(&text, ']');
	buf_add_str(&text, STR("],\"last\":true}"));
	document = parsed_str(padded_at(buf_str(&text), 0, ' '));
	add_values(document, &seen);
	CHECK(!json_hold(json_span(short_text)));
	CHECK(json_held(short_text.ptr).type == JSON_ABSENT);
	CHECK(json_hold(json_span(document)));
	CHECK(!json_hold(json_span(document)));
	/* A message, its list, the part and its text, where they are long. */
	CHECK(count_held(&seen) > 4 * 160 && count_held(&seen) < 4 * 200);
	check_values(document, &seen);
	CHECK(json_held(json_find(document, STR("messages")).ptr).type == JSON_ARRAY);
	CHECK(json_held(json_find(document, STR("last")).ptr).type == JSON_ABSENT);
	/* A line of it is held in its place, and then the document again. */
	line = json_find(document, STR("messages"));
	spans = (struct json_spans){.count = 1, .value = {{line.ptr, 1, JSON_NULL, 0}}};
	CHECK(json_hold_spans(json_span(line), &spans));
	CHECK(!json_hold_spans(json_span(line), &spans));
	CHECK(json_held(line.ptr).type == JSON_NULL);
	json_release();
	CHECK(json_held(line.ptr).type == JSON_ARRAY);
	json_release();
	CHECK(count_held(&seen) == 0);
	buf_free(&seen);
	buf_free(&text);
	arena_reset(&padded_arena);
}

int
main(void)
{
	test_empty();
	test_reread();
	test_array();
	test_object();
	test_find();
	test_many_names();
	test_skip();
	test_spans();
	test_hold();
	test_noted();
	arena_free(&padded_arena);
	return unit_end();
}
