/* Text that people see: its visible form, columns, boundaries. */

#include "base/text/base64.h"
#include "base/text/text.h"
#include "base/text/utf8.h"
#include "base/text/visible.h"

#include "unit.h"

static void
check_visible(const char *text, const char *visible)
{
	struct str from = str_from(text);
	struct buf buf = BUF_INIT;

	text_add_visible(&buf, from);
	CHECK_STR(buf, visible);
	CHECK(visible_is(from) == (strcmp(text, visible) == 0));
	CHECK(visible_is(buf_str(&buf)));
	buf_free(&buf);
}

static void
test_visible(void)
{
	struct buf buf = BUF_INIT;

	check_visible("", "");
	check_visible("a ~\\\"", "a ~\\\"");
	check_visible("caf\xc3\xa9 \xe6\xbd\xae \xf0\x9f\x8c\x8a \xc2\xa0",
	    "caf\xc3\xa9 \xe6\xbd\xae \xf0\x9f\x8c\x8a \xc2\xa0");
	check_visible("\x01\t\n\x1b[31m\x1f\x7f", "\\x01\\x09\\x0a\\x1b[31m\\x1f\\x7f");
	check_visible("\xc2\x80\xc2\x9b\xc2\x9f", "\\u0080\\u009b\\u009f");
	check_visible("\xd8\x9b\xd8\x9c\xd8\x9d", "\xd8\x9b\\u061c\xd8\x9d");
	check_visible("\xe2\x80\x8a\xe2\x80\x8b\xe2\x80\x8d\xe2\x80\x8f\xe2\x80\x90",
	    "\xe2\x80\x8a\\u200b\\u200d\\u200f\xe2\x80\x90");
	check_visible("\xef\xbb\xbe\xef\xbb\xbf\xef\xbc\x80", "\xef\xbb\xbe\\ufeff\xef\xbc\x80");
	check_visible("\xef\xbf\xb8\xef\xbf\xb9\xef\xbf\xbb\xef\xbf\xbc",
	    "\xef\xbf\xb8\\ufff9\\ufffb\xef\xbf\xbc");
	check_visible(
	    "\xf3\x9f\xbf\xbf\xf3\xa0\x80\x80\xf3\xa0\x81\x81\xf3\xa0\xbf\xbf\xf3\xa1\x80\x80",
	    "\xf3\x9f\xbf\xbf\\U000e0000\\U000e0041\\U000e0fff\xf3\xa1\x80\x80");
	check_visible("\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa\xe2\x80\xae\xe2\x80\xaf",
	    "\xe2\x80\xa7\\u2028\\u2029\\u202a\\u202e\xe2\x80\xaf");
	check_visible("\xe2\x81\x9f\xe2\x81\xa0\xe2\x81\xa6\xe2\x81\xaf\xe2\x81\xb0",
	    "\xe2\x81\x9f\\u2060\\u2066\\u206f\xe2\x81\xb0");
	check_visible("\xff\xc3", "\\xff\\xc3");
	check_visible("\xe6\xbd", "\\xe6\\xbd");          /* cut by the end */
	check_visible("\xed\xa0\x80", "\\xed\\xa0\\x80"); /* a surrogate */
	check_visible("\xc0\x9b", "\\xc0\\x9b");          /* ESC, overlong */
	text_add_visible(&buf, str_of("a\0b", 3));
	CHECK_STR(buf, "a\\x00b");
	buf_free(&buf);
}

/* Each byte at each place of a text that is otherwise ASCII. */
static void
test_visible_ascii(void)
{
	char text[20];

	for (unsigned byte = 0; byte < 256; byte++)
		for (size_t at = 0; at < sizeof text; at++) {
			bool is_plain = byte >= ' ' && byte < 0x7f;

			memset(text, '~', sizeof text);
			text[at] = (char)byte;
			CHECK(visible_ascii(str_of(text, sizeof text)) ==
			    (is_plain ? sizeof text : at));
			CHECK(visible_ascii(str_of(text, at)) == at);
		}
}

static void
check_fit(const char *text, size_t columns, const char *expected)
{
	struct str fit = text_fit(str_from(text), columns);

	CHECK_STR(fit, expected);
}

static void
test_columns(void)
{
	CHECK(text_columns(STR("")) == 0 && text_columns(str_of(NULL, 0)) == 0);
	CHECK(text_columns(STR("abc")) == 3);
	CHECK(text_columns(STR("caf\xc3\xa9")) == 4);
	CHECK(text_columns(STR("cafe\xcc\x81")) == 4);             /* e, U+0301 */
	CHECK(text_columns(STR("\xe6\xbd\xae\xe4\xbd\x8d")) == 4); /* CJK */
	CHECK(text_columns(STR("\xed\x95\x9c\xea\xb8\x80")) == 4); /* Hangul syllables */
	CHECK(text_columns(STR("\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab")) ==
	    2);                                                    /* a syllable of jamo */
	CHECK(text_columns(STR("\xf0\x9f\x8c\x8a")) == 2);         /* a wave */
	CHECK(text_columns(STR("\xe2\x80\x8d")) == 0);             /* joiner */
	CHECK(text_columns(STR("\xef\xbc\xa1\xef\xbd\xb1")) == 3); /* full and half width */
	CHECK(text_columns(STR("\xe1\x85\x9f")) == 2);             /* U+115F, a range's last */
	CHECK(text_columns(STR("\xff")) == 1);
	CHECK(text_columns(STR("\xf0\xa0\x80\x80\xf0\xaf\xa8\x9d")) == 4);
	check_fit("abc", 3, "abc");
	check_fit("abc", 2, "ab");
	check_fit("abc", 0, "");
	check_fit("\xe6\xbd\xae\xe4\xbd\x8d", 3, "\xe6\xbd\xae");
	check_fit("e\xcc\x81x", 1, "e\xcc\x81");
}

static void
test_boundaries(void)
{
	const struct str text = STR_INIT("a\xc3\xa9\xf0\x9f\x8c\x8a"); /* 0 1 3 7 */
	static const unsigned floors[] = {0, 1, 1, 3, 3, 3, 3, 7},
			      ceils[] = {0, 1, 3, 3, 7, 7, 7, 7};

	for (size_t at = 0; at <= text.len; at++) {
		CHECK(utf8_floor(text, at) == floors[at]);
		CHECK(utf8_ceil(text, at) == ceils[at]);
	}
	CHECK(utf8_code("a", 1) == 'a' && utf8_code("\xc3\xa9", 2) == 0xe9);
	CHECK(utf8_code("\xe6\xbd\xae", 3) == 0x6f6e);
	CHECK(utf8_code("\xf4\x8f\xbf\xbf", 4) == 0x10ffff);
	CHECK(utf8_valid(text) == text.len && utf8_valid(STR("")) == 0);
	CHECK(utf8_valid(STR("a\xc3\xa9\xe6\xbd")) == 3 && utf8_valid(STR("\xff")) == 0);
	CHECK(utf8_len("\xf4\x90\x80\x80") == 0 && utf8_len("\xe0\x9f\xbf") == 0);
}

/* What the text says, with nothing behind it that is left of an earlier one. */
static void
check_base64(const char *text, const char *bytes)
{
	struct buf buf = BUF_INIT;
	bool is_valid = base64_decode(str_from(text), &buf);

	CHECK(is_valid == (bytes != NULL));
	CHECK_STR(buf_str(&buf), bytes != NULL ? bytes : "");
	buf_free(&buf);
}

static void
test_base64(void)
{
	check_base64("", NULL);
	check_base64("YQ==", "a");
	check_base64("YQ", "a");
	check_base64("YWI=", "ab");
	check_base64("YWJj", "abc");
	check_base64("YWJjZA==", "abcd");
	check_base64("/+A=", "\xff\xe0");
	check_base64("Y", NULL);
	check_base64("YWJjZ", NULL);
	check_base64("YQ===", NULL);
	check_base64("Y=Q=", NULL);
	check_base64("a.b4", NULL);
	check_base64("a_-4", NULL);
	CHECK(base64_digits(STR("YWJjZA==")) == 6 && base64_digits(STR("YQ===")) == 0);
}

int
main(void)
{
	test_base64();
	test_visible();
	test_visible_ascii();
	test_columns();
	test_boundaries();
	return unit_end();
}
