/* Decoding strings and numbers, and writing them. */

#include "base/buf.h"
#include "json/string.h"
#include "json/members.h"
#include "json/write.h"

#include "json_padded.h"
#include "unit.h"

static const struct {
	const char *json;
	struct str text;
} decodings[] = {
    {"\"\"", STR_INIT("")},
    {"\"a\"", STR_INIT("a")},
    {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", STR_INIT("\"\\/\b\f\n\r\t")},
    {"\"\\u0000\"", STR_INIT("\0")},
    {"\"\\u007f\\u0080\\u07ff\\u0800\\uFFFF\"",
	STR_INIT("\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf")},
    {"\"\\ud83d\\ude00\\uDBFF\\uDFFF\"", STR_INIT("\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf")},
    {"\"\\ud83d\"", STR_INIT("\xef\xbf\xbd")},
    {"\"\\uDFFF\\ud800\\ue000\"", STR_INIT("\xef\xbf\xbd\xef\xbf\xbd\xee\x80\x80")},
    {"\"\\uD800\\uDC00\"", STR_INIT("\xf0\x90\x80\x80")},
    {"\"\\ude00\\ud83d\"", STR_INIT("\xef\xbf\xbd\xef\xbf\xbd")},
    {"\"\\ud83dx\\ud83d\\n\"", STR_INIT("\xef\xbf\xbdx\xef\xbf\xbd\n")},
    {"\"\\ud83d\\u0041\"",
	STR_INIT("\xef\xbf\xbd"
		 "A")},
    {"\"\\ud83d\\ud83d\\ude00\"", STR_INIT("\xef\xbf\xbd\xf0\x9f\x98\x80")},
    {"\"plain \xe4\xb8\xad, then \\n in a string longer than a block of 64 bytes\"",
	STR_INIT("plain \xe4\xb8\xad, then \n in a string longer than a block of 64 bytes")},
};

static void
test_decode(void)
{
	struct buf buf = BUF_INIT;

	for (size_t i = 0; i < sizeof decodings / sizeof decodings[0]; i++) {
		struct json_value value = parsed(decodings[i].json);
		struct str text = decodings[i].text;

		CHECK(str_eq(json_text(value, &buf), text));
		CHECK(json_decoded_len(value) == text.len);
		buf_reset(&buf);
		buf_add_char(&buf, '>');
		json_decode(value, &buf);
		CHECK(buf.len == text.len + 1 && str_eq(str_of(buf.ptr + 1, text.len), text));
		CHECK(json_is(value, text));
		CHECK(!json_is(value, STR("something else")));
		CHECK(!json_is(value, str_of("plain", text.len > 5 ? 5 : text.len + 1)));
		CHECK(!json_is(value, str_of(text.ptr, text.len + 1)));
	}
	CHECK(!json_is(parsed("12"), STR("12")));
	CHECK(!json_is((struct json_value){.type = JSON_ABSENT}, STR("")));
	buf_free(&buf);
}

/* What a string decodes to, this decodes its inside to; what is no escape stays. */
static void
test_torn(void)
{
	static const struct {
		const char *inner, *text;
	} torn[] = {
	    {"", ""},
	    {"a\\nb\\", "a\nb\\"},
	    {"a\\\n[cut]\n\"n\\tb", "a\\\n[cut]\n\"n\tb"},
	    {"\\x \\u12 \\u00g0 \\u00e9", "\\x \\u12 \\u00g0 \xc3\xa9"},
	    {"\\u00e", "\\u00e"},
	    {"\\ud83d\\ude0", "\xef\xbf\xbd\\ude0"},
	};
	struct buf buf = BUF_INIT;

	for (size_t i = 0; i < sizeof decodings / sizeof decodings[0]; i++) {
		buf_reset(&buf);
		json_decode_torn(json_inner(parsed(decodings[i].json)), &buf);
		CHECK(str_eq(buf_str(&buf), decodings[i].text));
	}
	for (size_t i = 0; i < sizeof torn / sizeof torn[0]; i++) {
		buf_reset(&buf);
		json_decode_torn(str_from(torn[i].inner), &buf);
		CHECK_STR(buf, torn[i].text);
	}
	buf_free(&buf);
}

static const enum json_isa paths[] = {JSON_ISA_SCALAR, JSON_ISA_SSE2, JSON_ISA_AVX2};

/* All paths decode alike, and the decoded length is what decoding gives, wherever in a block an
 * escape begins. */
static void
test_paths(void)
{
	struct buf text = BUF_INIT, decoded = BUF_INIT, plain = BUF_INIT;

	for (unsigned path = 0; path < 3; path++)
		for (size_t i = 0; i < sizeof decodings / sizeof decodings[0]; i++)
			for (unsigned before = 0; before < 130; before++) {
				struct str inner = str_from(decodings[i].json + 1);

				buf_reset(&text);
				buf_reset(&decoded);
				buf_reset(&plain);
				buf_add_fmt(&text, "\"%0*d", (int)before + 1, 0);
				buf_add_str(&text, str_of(inner.ptr, inner.len - 1));
				buf_add_str(&text, inner);
				buf_pad(&text);
				json_scan_use(JSON_ISA_SCALAR);
				json_decode(json_value_at(text.ptr), &plain);
				if (!json_scan_use(paths[path]))
					continue;
				json_decode(json_value_at(text.ptr), &decoded);
				CHECK(str_eq(buf_str(&decoded), buf_str(&plain)));
				CHECK(json_decoded_len(json_value_at(text.ptr)) == decoded.len);
			}
	json_scan_use(JSON_ISA_BEST);
	buf_free(&text);
	buf_free(&decoded);
	buf_free(&plain);
}

static void
test_blank(void)
{
	static const char *const blank[] = {"\"\"", "\" \\t\\r\\n\\u000b\\f\"",
	    "\"\\u0085\xc2\xa0\"", "\"\\u1680\\u2000\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\"",
	    "\"\xe1\x9a\x80\xe2\x80\x80\xe2\x80\x8a\xe2\x80\xa8\xe2\x81\x9f\xe3\x80\x80\""};
	static const char *const not_blank[] = {"\"a\"", "\"  .\"", "\"\\u200b\"",
	    "\"\xef\xbb\xbf\"", "\"\\u0000\"", "\"\\u001c\"", "\"\\\\\"", "null", "[]"};

	for (size_t i = 0; i < sizeof blank / sizeof blank[0]; i++)
		CHECK(json_is_blank(parsed(blank[i])));
	for (size_t i = 0; i < sizeof not_blank / sizeof not_blank[0]; i++)
		CHECK(!json_is_blank(parsed(not_blank[i])));
}

static void
test_numbers(void)
{
	CHECK(json_integer(parsed("0"), 5) == 0);
	CHECK(json_integer(parsed("-0"), 5) == 0);
	CHECK(json_integer(parsed("-12"), 5) == -12);
	CHECK(json_integer(parsed("9223372036854775807"), 5) == INT64_MAX);
	CHECK(json_integer(parsed("-9223372036854775808"), 5) == INT64_MIN);
	CHECK(json_integer(parsed("9223372036854775808"), 5) == 5);
	CHECK(json_integer(parsed("-9223372036854775809"), 5) == 5);
	CHECK(json_integer(parsed("99999999999999999999999"), 5) == 5);
	CHECK(json_integer(parsed("1.0"), 5) == 5);
	CHECK(json_integer(parsed("1e2"), 5) == 5);
	CHECK(json_integer(parsed("\"1\""), 5) == 5);
	CHECK(json_integer((struct json_value){.type = JSON_ABSENT}, 5) == 5);
	CHECK(json_count(parsed("12")) == 12);
	CHECK(json_count(parsed("-12")) == 0);
	CHECK(json_count(parsed("\"1\"")) == 0);
	CHECK(json_real(parsed("-1.5e2"), 5) == -150);
	CHECK(json_real(parsed("true"), 5) == 5);
	CHECK(json_real(parsed("1e999"), 5) > 1e308);
}

static void
test_escape(void)
{
	static const struct {
		struct str text;
		const char *json;
	} cases[] = {
	    {STR_INIT(""), "\"\""},
	    {STR_INIT("a\"b\\c/\x7f"), "\"a\\\"b\\\\c/\x7f\""},
	    {STR_INIT("\b\f\n\r\t\0\x1f\x0b"), "\"\\b\\f\\n\\r\\t\\u0000\\u001f\\u000b\""},
	    {STR_INIT("\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80"),
		"\"\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80\""},
	    {STR_INIT("a\xff"
		      "b"),
		"\"a\xef\xbf\xbd"
		"b\""},
	    {STR_INIT("\xc3"), "\"\xef\xbf\xbd\""},
	    {STR_INIT("\xe4\xb8"), "\"\xef\xbf\xbd\""},
	    {STR_INIT("\xf0\x9f\x98"
		      "a"),
		"\"\xef\xbf\xbd"
		"a\""},
	    {STR_INIT("\xf0\x9f"
		      "\xe4\xb8\xad"),
		"\"\xef\xbf\xbd\xe4\xb8\xad\""},
	    {STR_INIT("\xed\xa0\x80"), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
	    {STR_INIT("\xc0\x80"), "\"\xef\xbf\xbd\xef\xbf\xbd\""},
	};
	struct buf buf = BUF_INIT;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		buf_reset(&buf);
		json_write_string(&buf, cases[i].text);
		CHECK_STR(buf, cases[i].json);
	}
	buf_free(&buf);
}

/* A byte that is escaped is seen at every place of a text of any length. */
static void
test_escape_places(void)
{
	static const char special[] = "\"\\\n\x1f";
	char text[20];

	for (size_t len = 1; len <= sizeof text; len++)
		for (size_t at = 0; at < len; at++)
			for (const char *c = special; *c != '\0'; c++) {
				struct buf json = BUF_INIT;

				memset(text, 'a', len);
				text[at] = *c;
				json_write_string(&json, str_of(text, len));
				CHECK(json.len == len + (*c == '\x1f' ? 7 : 3));
				CHECK(json.ptr[at + 1] == '\\');
				buf_free(&json);
			}
}

/* Any bytes, written, scan and decode to themselves with U+FFFD for what is ill-formed. */
static void
test_round_trip(void)
{
	struct buf json = BUF_INIT, text = BUF_INIT, again = BUF_INIT;
	uint64_t state = 7;

	for (unsigned i = 0; i < 3000; i++) {
		struct json_scan scan;

		buf_reset(&text);
		for (unsigned k = 0; k < i % 200; k++) {
			state = state * UINT64_C(6364136223846793005) + 1;
			buf_add_char(&text, (char)(state >> 33 & (state >> 60 ? 0x7f : 0xff)));
		}
		buf_reset(&json);
		json_write_string(&json, buf_str(&text));
		CHECK(json_scan(padded_at(buf_str(&json), 0, ' '), NULL, &scan));
		buf_reset(&text);
		json_decode(scan.value, &text);
		CHECK(json_decoded_len(scan.value) == text.len);
		buf_reset(&again);
		json_write_string(&again, buf_str(&text));
		CHECK(str_eq(buf_str(&again), buf_str(&json)));
		buf_reset(
		    &again); /* the JSON is valid UTF-8: written once more, it scans to itself */
		json_write_json(&again, buf_str(&json));
		CHECK(json_scan(padded_at(buf_str(&again), 0, ' '), NULL, &scan));
		buf_reset(&text);
		json_decode(scan.value, &text);
		CHECK(str_eq(buf_str(&text), buf_str(&json)));
		buf_reset(&text);
		json_write_string(&text, buf_str(&json));
		CHECK(str_eq(buf_str(&text), buf_str(&again)));
		arena_reset(&padded_arena);
	}
	buf_free(&json);
	buf_free(&text);
	buf_free(&again);
}

static void
test_writer(void)
{
	struct buf buf = BUF_INIT;
	struct json_writer w;

	json_writer_init(&w, &buf);
	json_open(&w, '{');
	json_member_string(&w, STR("a\n"), STR("b"));
	json_name(&w, STR("list"));
	json_open(&w, '[');
	json_put_integer(&w, INT64_MIN);
	json_open(&w, '{');
	json_close(&w);
	json_open(&w, '[');
	json_close(&w);
	json_put_bool(&w, false);
	json_put_raw(&w, STR("1.50"));
	json_put_string(&w, STR(""));
	json_close(&w);
	json_member_integer(&w, STR("n"), -1);
	json_member_bool(&w, STR("t"), true);
	json_member_raw(&w, STR("r"), STR("null"));
	json_close(&w);
	CHECK_STR(buf,
	    "{\"a\\n\":\"b\",\"list\":[-9223372036854775808,{},[],false,1.50,\"\"],"
	    "\"n\":-1,\"t\":true,\"r\":null}");
	buf_free(&buf);
}

static void
test_lone_surrogate(void)
{
	static const struct {
		const char *text;
		size_t at[3];
	} cases[] = {
	    {"\"\"", {2, 2, 2}},
	    {"\"\\ud800\"", {1, 8, 8}},
	    {"\"\\uDFFF\\uD83D\"", {1, 7, 14}},
	    {"\"\\ud83d\\ude00\\ud83d\\ud83d\\ude00\"", {13, 32, 32}},
	    {"\"\\ude00\\ud83d\\ude00x\"", {1, 21, 21}},
	    {"\"\\\\ud800\\\\\\ud800\\n\"", {10, 19, 19}},
	    {"\"\\ufffd\\uFFFD\\ud7ff\\ue000\"", {26, 26, 26}},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct str text = padded(cases[i].text), rest = text, half;

		for (size_t k = 0; k < 3; k++) {
			half = json_lone_surrogate(rest);
			CHECK(half.len == (cases[i].at[k] < text.len ? 6 : 0));
			if (half.len == 0)
				continue;
			CHECK((size_t)(half.ptr - text.ptr) == cases[i].at[k]);
			rest = str_rest(text, cases[i].at[k] + half.len);
		}
	}
	arena_reset(&padded_arena);
}

int
main(void)
{
	for (unsigned path = 0; path < 3; path++)
		if (json_scan_use(paths[path]))
			test_decode();
	json_scan_use(JSON_ISA_BEST);
	test_torn();
	test_paths();
	test_blank();
	test_numbers();
	test_lone_surrogate();
	test_escape();
	test_escape_places();
	test_round_trip();
	test_writer();
	arena_free(&padded_arena);
	return unit_end();
}
