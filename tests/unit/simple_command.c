/* A shell command, cut into its simple commands. */

#include "data/tool/simple_command.h"

#include "base/buf.h"
#include "unit.h"

/* The line as "WORD.WORD>OUTPUT<DOCUMENT OPERATOR|...", and the texts in brackets. */
static void
check_cut(const char *line, const char *expected)
{
	struct simple_command_line commands = SIMPLE_COMMAND_LINE(str_from(line));
	struct simple_command command;
	struct buf found = BUF_INIT;

	while (simple_command_next(&commands, &command)) {
		for (unsigned i = 0; i < command.words; i++) {
			buf_add_str(&found, i > 0 ? STR(".") : STR(""));
			buf_add_str(&found, command.word[i]);
		}
		for (unsigned i = 0; i < command.outputs; i++) {
			buf_add_char(&found, '>');
			buf_add_str(&found, command.output[i]);
		}
		if (command.document.len > 0) {
			buf_add_char(&found, '<');
			buf_add_str(&found, command.document);
		}
		buf_add_char(&found, ' ');
		buf_add_str(&found, command.operator);
		buf_add_str(&found, STR(" "));
	}
	if (!CHECK_STR(found, expected))
		printf("    of '%s'\n", line);
	buf_free(&found);
}

static void
test_cut(void)
{
	check_cut("", "");
	check_cut(" \n;# x", "");
	check_cut("a", "a  ");
	check_cut("a b;c|d&e\nf&&g||h", "a.b ; c | d & e \n f && g || h  ");
	check_cut("a 'b c' \"d;e\" f'g h'\\;i", "a.b c.d;e.f'g h'\\;i  ");
	check_cut("a \\\n b", "a.b  ");
	check_cut("a # b; c\nd#e", "a  d#e  ");
	check_cut("a 'b", "a.'b  ");
	check_cut("a \"b\\\"; c\" \\\" d; e", "a.b\\\"; c.\\\".d ; e  ");
	check_cut("it\\'s; b", "it\\'s ; b  ");
	check_cut("a\\", "a\\  ");
}

static void
test_redirections(void)
{
	check_cut("a >b 2>&1 c", "a.c>b  ");
	check_cut("a 2>/dev/null >>b&&c", "a>/dev/null>b && c  ");
	check_cut("a &>b; c >&d; e >|f; g >&-", "a>b ; c>d ; e>f ; g  ");
	check_cut("a <b c <<<d 2 e", "a.c.2.e  ");
	check_cut("a <(b; c) > >(d) e", "a.e  ");
	check_cut(">", "  ");
	check_cut(">'b c'", ">b c  ");
}

static void
test_documents(void)
{
	check_cut("a <<E\nb; c\nE\nd", "a<b; c\n \n d  ");
	check_cut("a <<'E' | b && c\nd\nE\ne", "a<d\n | b && c \n e  ");
	check_cut("a <<-E >b\n\td\n\tE\ne", "a>b<\td\n \n e  ");
	check_cut("a <<A <<\"B\"; c\n1\nA\n2\nB\nd", "a<2\n ; c \n d  ");
	check_cut("a <<E\nb", "a<b \n ");
	check_cut("a <<E", "a  ");
	check_cut("a '<<E' \\<<E; b\nc", "a.<<E.\\< ; b \n c  ");
	check_cut("a $((1<<2)); b", "a.$((1<<2)) ; b  ");
}

static void
test_nested(void)
{
	struct simple_command_line commands;
	struct simple_command command;
	char deep[4096];

	check_cut("a=$(b; c | d) e; f", "a=$(b; c | d).e ; f  ");
	check_cut("a \"$(b \"c;\" ')' (d))\"; e", "a.$(b \"c;\" ')' (d)) ; e  ");
	check_cut("a \"(\" b; c", "a.(.b ; c  ");
	check_cut("git commit -m \"$(cat <<'E'\nIt's \"so\" (or not\nmake check\nE\n)\" && b",
	    "git.commit.-m.$(cat <<'E'\nIt's \"so\" (or not\nmake check\nE\n) && b  ");
	check_cut("a $(b; c", "a.$(b; c  ");
	/* What is nested too deep is looked at no further. */
	memset(deep, '(', sizeof deep);
	memcpy(deep, "a $", 3);
	memcpy(deep + sizeof deep - 4, "; b", 4);
	commands = SIMPLE_COMMAND_LINE(str_from(deep));
	CHECK(simple_command_next(&commands, &command) && command.words == 2);
	CHECK(!simple_command_next(&commands, &command));
}

int
main(void)
{
	test_cut();
	test_redirections();
	test_documents();
	test_nested();
	return unit_end();
}
