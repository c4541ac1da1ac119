/* What rows of an option table say of each other, and the sentence that a command line gets. */

#include "face/options/relations.h"

#include "face/options/options.h"
#include "unit.h"

struct values {
	struct common_options common;
	bool flag[6];
	int view;
};

static const char *const views[] = {"all", "none", NULL};

#define FLAG(number, name, ...) \
	{ \
		name, 0, NULL, "", OPTION_FLAG, offsetof(struct values, flag[number]), __VA_ARGS__ \
	}

static const struct option table[] = {
    OPTIONS_UNDER("a heading"),
    FLAG(0, "a", .requires = "b"),
    FLAG(1, "b", .not_with = "c d"),
    FLAG(2, "c", .requires = "a b d"),
    FLAG(3, "d", .requires = "view=all"),
    FLAG(4, "e", .only_with = "b"),
    FLAG(5, "f", .not_with = "view=none", .requires = "b c"),
    {"view", 0, "V", NULL, OPTION_CHOICE, offsetof(struct values, view), views},
    OPTIONS_END,
};

static const struct command command = {.name = "unit", .options = table};

/* Gives the options of the list, and compares the sentence; "" is none. */
static void
check(const char *list, int view, const char *expected)
{
	struct values values = {.view = view};
	struct buf wrong = BUF_INIT;
	struct str name;

	while (str_take_word(&list, ' ', &name))
		for (size_t row = 0; table[row].name != NULL; row++)
			if (str_eq(str_from(table[row].name), name))
				values.common.given[row / 64] |= UINT64_C(1) << row % 64;
	CHECK(relations_hold(&command, &values, &wrong) == (*expected == '\0'));
	CHECK_STR(buf_str(&wrong), expected);
	buf_free(&wrong);
}

int
main(void)
{
	check("", 0, "");
	check("a", 0, "--a requires --b");
	check("a b", 0, "");
	check("b c", 0, "--b cannot be combined with --c");
	check("b d", 0, "--b cannot be combined with --d");
	check("c", 0, "--c requires --a, --b or --d");
	check("c d", 0, "");
	check("d", 1, "--d requires --view=all");
	check("d view", 0, "");
	check("e", 0, "");
	check("e b", 0, "");
	check("e b view", 0, "--e cannot be combined with --view");
	check("f", 0, "--f requires --b or --c");
	check("f b", 1, "--f cannot be combined with --view=none");
	check("f b", 0, "");
	check("f b", 7, "");
	return unit_end();
}
