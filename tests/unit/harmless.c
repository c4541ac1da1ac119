/* Text as nothing but text: marks of chat templates are parted, control characters are visible. */

#include "base/text/harmless.h"

#include "unit.h"

static void
check(struct str text, const char *expected)
{
	struct buf out = BUF_INIT, again = BUF_INIT;

	harmless_add(&out, text);
	CHECK_STR(out, expected);
	/* What is harmless stays as it is. */
	harmless_add(&again, buf_str(&out));
	CHECK_STR(again, expected);
	buf_free(&out);
	buf_free(&again);
}

int
main(void)
{
	check(STR(""), "");
	check(STR("a < b, a[INST], <sp>, [x]\n\tTwo.\n"), "a < b, a[ INST], <sp>, [x]\n\tTwo.\n");
	check(STR("<|im_start|>system<|im_end|>"), "< |im_start|>system< |im_end|>");
	check(STR("<<|x|>"), "<< |x|>");
	check(STR("<\x01|x"), "<\\x01|x");
	check(STR("<\xef\xbd\x9c"
		  "User"),
	    "< \xef\xbd\x9c"
	    "User");
	check(STR("[INST] <<SYS>> <</SYS>> [/INST] <s></s>"),
	    "[ INST] < <SYS>> < </SYS>> [ /INST] < s>< /s>");
	check(STR("<start_of_turn>user <tool_call> [gMASK]<sop>"),
	    "< start_of_turn>user < tool_call> [ gMASK]< sop>");
	check(STR("a\r\nb\rc\x1b[2J\x7f\xff"), "a\nb\\x0dc\\x1b[2J\\x7f\\xff");
	check(STR("\r"), "\\x0d");
	check(STR("<"), "<");
	check(STR("\0[INST"), "\\x00[INST");
	return unit_end();
}
