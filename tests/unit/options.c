/* Options as the table says; what is wrong with a command line is tested in contract.bats. */

#include "face/options/options.h"

#include "unit.h"

struct values {
	struct common_options common;
	bool flag;
	bool other;
	bool given;
	const char *text;
	uint64_t count;
	struct size size;
	int choice;
	struct option_list list;
	const char *maybe;
};

static const char *const choices[] = {"red", "green", NULL};

static const struct option table[] = {
    {"flag", 'f', NULL, "", OPTION_FLAG, offsetof(struct values, flag)},
    {"other", 'o', NULL, "", OPTION_FLAG, offsetof(struct values, other)},
    {"text", 't', "TEXT", "", OPTION_STRING, offsetof(struct values, text), NULL,
	offsetof(struct values, given), OPTION_OWN_PROCESS},
    {"count", 0, "N", "", OPTION_COUNT, offsetof(struct values, count)},
    {"size", 0, "SIZE", "", OPTION_TOKENS, offsetof(struct values, size)},
    {"choice", 0, "C", "", OPTION_CHOICE, offsetof(struct values, choice), choices},
    {"list", 'l', "X", "", OPTION_LIST, offsetof(struct values, list)},
    {"maybe", 0, "M", "", OPTION_OPTIONAL, offsetof(struct values, maybe)},
    OPTIONS_COMMON,
    OPTIONS_END,
};

static const struct command command = {.name = "unit",
    .synopsis = "[option]... [file]...",
    .purpose = "A test.",
    .options = table,
    .examples = {"unit in", "unit <in"},
    .statuses = {0, 64}};

enum { WORDS = 32 };

static char line[1024];
static char *word[WORDS];
static int words;

/* Parses the words of text, which are separated by blanks; returns what was set. */
static struct values
parse(const char *text)
{
	struct values values = {.count = 7};
	static char name[] = "unit";
	int first;

	snprintf(line, sizeof line, "%s", text);
	words = 0;
	word[words++] = name;
	for (char *p = strtok(line, " "); p != NULL && words < WORDS; p = strtok(NULL, " "))
		word[words++] = p;
	first = options_parse(&command, words, word, &values);
	memmove(word, word + first, (size_t)(words - first) * sizeof *word);
	words -= first;
	return values;
}

/* The operands that parse left, joined by blanks. */
static void
check_operands(const char *expected)
{
	struct buf joined = BUF_INIT;

	for (int i = 0; i < words; i++)
		buf_add_fmt(&joined, "%s%s", i > 0 ? " " : "", word[i]);
	CHECK_STR(joined, expected);
	buf_free(&joined);
}

static void
test_values(void)
{
	struct values values = parse("");

	CHECK(!values.flag && !values.given && values.text == NULL && values.count == 7);
	CHECK(values.size.unit == SIZE_UNSET && values.choice == 0 && values.list.count == 0);
	CHECK(values.common.bad_lines == BAD_LINES_KEEP && !values.common.max_line_given);
	values = parse("--flag --text a --count=12k --size 75% --choice green --list x --list=y");
	CHECK(values.flag && !values.other && values.given && values.count == 12000);
	CHECK(strcmp(values.text, "a") == 0);
	CHECK(values.size.unit == SIZE_PERCENT && values.size.value == 75000);
	CHECK(values.choice == 1);
	CHECK(values.list.count == 2 && strcmp(values.list.item[0], "x") == 0 &&
	    strcmp(values.list.item[1], "y") == 0);
	values = parse("--text --flag --size=-16k --text= --bad-lines drop --max-line 1M -v");
	CHECK(!values.flag && strcmp(values.text, "") == 0);
	CHECK(values.size.unit == SIZE_LESS && values.size.value == 16000);
	CHECK(values.common.bad_lines == BAD_LINES_DROP && values.common.verbose);
	CHECK(values.common.max_line_given && values.common.max_line == 1000000);
}

/* An argument that may be left out stands behind "=": the next word is none. */
static void
test_optional(void)
{
	CHECK(parse("--flag").maybe == NULL);
	CHECK(strcmp(parse("--maybe x").maybe, "") == 0);
	check_operands("x");
	CHECK(strcmp(parse("--maybe=x y").maybe, "x") == 0);
	check_operands("y");
	CHECK(strcmp(parse("--maybe=x --maybe").maybe, "") == 0);
}

static void
test_letters(void)
{
	struct values values = parse("-fo");

	CHECK(values.flag && values.other);
	values = parse("-ft a b");
	CHECK(values.flag && strcmp(values.text, "a") == 0);
	check_operands("b");
	values = parse("-ta=b -fto");
	CHECK(values.flag && !values.other && strcmp(values.text, "o") == 0);
	values = parse("-l 1 -l2 -l -f");
	CHECK(values.list.count == 3 && !values.flag && strcmp(values.list.item[2], "-f") == 0);
}

static void
test_operands(void)
{
	CHECK(parse("a --flag b - c --text x d").flag);
	check_operands("a b - c d");
	CHECK(!parse("a -- --flag -f").flag);
	check_operands("a --flag -f");
	CHECK(parse("--flag --").flag);
	check_operands("");
	CHECK(!parse("-- -- a").flag);
	check_operands("-- a");
}

/* The words, looked at: what is wrong, what is given, and how many operands there are. */
static void
test_look(void)
{
	static const struct {
		const char *word[8];
		bool is_wrong, is_own;
		unsigned operands;
	} rows[] = {
	    {{"unit"}, false, false, 0},
	    {{"unit", "-f", "in", "-"}, false, false, 2},
	    {{"unit", "-fl", "--text", "--text=x"}, false, true, 0},
	    {{"unit", "--text", "--count"}, false, true, 0},
	    {{"unit", "-ft", "x", "in"}, false, true, 1},
	    {{"unit", "-tx", "in"}, false, true, 1},
	    {{"unit", "-f", "--", "-t", "--text"}, false, false, 2},
	    {{"unit", "--maybe", "in"}, false, false, 1},
	    {{"unit", "--help"}, false, true, 0},
	    {{"unit", "-h"}, false, true, 0},
	    {{"unit", "--text"}, true, true, 0},
	    {{"unit", "-l"}, true, false, 0},
	    {{"unit", "--tex=x"}, true, false, 0},
	    {{"unit", "-fx"}, true, false, 0},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		int count = 0;
		struct options_words found;

		while (rows[i].word[count] != NULL)
			count++;
		found = options_look(&command, count, (char *const *)rows[i].word);
		CHECK(found.is_wrong == rows[i].is_wrong);
		CHECK(((found.flags & OPTION_OWN_PROCESS) != 0) == rows[i].is_own);
		CHECK(found.operands == rows[i].operands);
	}
}

int
main(void)
{
	test_values();
	test_optional();
	test_letters();
	test_operands();
	test_look();
	return unit_end();
}
