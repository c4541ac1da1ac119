/* Written JSON: commas, nesting, strings, numbers in their shortest form. */

#include <math.h>

#include "json/members.h"
#include "json/write.h"

#include "json_padded.h"
#include "unit.h"

static void
check_real(double number, const char *expected)
{
	struct buf buf = BUF_INIT;
	struct json_writer w;

	json_writer_init(&w, &buf);
	json_put_real(&w, number);
	CHECK_STR(buf, expected);
	buf_free(&buf);
}

static void
test_real(void)
{
	check_real(0, "0");
	check_real(-0.0, "0");
	check_real(2, "2");
	check_real(-2, "-2");
	check_real(10, "10");
	check_real(100000, "100000");
	check_real(0.25, "0.25");
	check_real(1.100000, "1.1");
	check_real(1.0000004, "1");
	check_real(0.0000001, "0");
	check_real(-0.0000001, "0");
	check_real(0.0000006, "0.000001");
	check_real(-0.0000006, "-0.000001");
	check_real(0.1234567, "0.123457");
	check_real(NAN, "null");
	check_real(INFINITY, "null");
	check_real(-INFINITY, "null");
}

static void
test_members(void)
{
	struct json_value from = parsed("{\"a\": [1, 2] }");
	struct buf buf = BUF_INIT;
	struct json_writer w;

	json_writer_init(&w, &buf);
	json_open(&w, '{');
	json_member_value(&w, STR("none"), json_find(from, STR("b")));
	json_member_value(&w, STR("a"), json_find(from, STR("a")));
	json_member_string(&w, STR("q\""), STR("\x1b\"\\\n\xff"));
	json_member_integer(&w, STR("i"), -7);
	json_member_real(&w, STR("r"), 1.5);
	json_member_bool(&w, STR("t"), true);
	json_name(&w, STR("l"));
	json_open(&w, '[');
	json_put_bool(&w, false);
	json_put_value(&w, from);
	json_open(&w, '[');
	json_close(&w);
	json_close(&w);
	json_member_raw(&w, STR("n"), STR("null"));
	json_close(&w);
	CHECK_STR(buf,
	    "{\"a\":[1, 2],\"q\\\"\":\"\\u001b\\\"\\\\\\n\xef\xbf\xbd\",\"i\":-7,\"r\":1.5,"
	    "\"t\":true,\"l\":[false,{\"a\": [1, 2] },[]],\"n\":null}");
	buf_free(&buf);
}

int
main(void)
{
	test_real();
	test_members();
	arena_free(&padded_arena);
	return unit_end();
}
