/* Rows of dialects: paths, conditions, and that all tables of all dialects can be compiled. */

#include "dialects/dialect.h"
#include "dialects/rows/conditions.h"
#include "dialects/rows/row_place.h"

#include "json_padded.h"
#include "unit.h"

static const char *const names[] = {"model", "turn", NULL};
static struct buf values[2];
static const struct member_variables variables = {names, values};
static struct json_value record;

/* What the path finds in the value, both with ' for ": its values, with a space between. */
static void
check_path(const char *text, const char *path_text, const char *expected)
{
	struct member_tree tree = MEMBER_TREE_INIT;
	struct buf found = BUF_INIT;
	struct member_path path;
	struct member_view view;
	struct member_walk walk;
	struct json_value value;

	member_path_compile(&path, &tree, &variables, str_from(path_text));
	member_view_open(&view, &tree, &variables, record, parsed_str(quoted(text)));
	member_walk_open(&walk, &view, &path);
	while (member_walk_next(&walk, &value)) {
		if (found.len > 0)
			buf_add_char(&found, ' ');
		buf_add_str(&found, json_span(value));
	}
	if (!CHECK_STR(buf_str(&found), expected) || !CHECK(!tree.is_broken))
		printf("%s in %s\n", path_text, text);
	value = member_find(&view, &path);
	CHECK(str_has_prefix(
	    buf_str(&found), value.type == JSON_ABSENT ? STR("") : json_span(value)));
	buf_free(&found);
	arena_free(&tree.arena);
}

static void
test_paths(void)
{
	check_path("{'a':{'b':1}}", "a.b", "1");
	check_path("{'a':{'b':null}}", "a.b", "");
	check_path("{'a':[1]}", "a.b", "");
	check_path("7", "a.b", "");
	check_path("{'a':1,'b':2}", "c|b|a", "2");
	check_path("{'a':null,'b':2}", "a|b", "2");
	check_path("{'a':{'b':1}}", "c|a.b", "1");
	check_path("[{'a':1}]", ".", "[{\"a\":1}]");
	/* Lists: of the first choice that has a value. */
	check_path("{'a':[{'b':1},{'c':2},7,{'b':3}]}", "a[].b", "1 3");
	check_path("{'a':[1,null,2]}", "a[]", "1 2");
	check_path("{'a':{'b':{'c':1}}}", "a[].b.c", "1");
	check_path("{'a':[],'b':[{'t':1}]}", "a[].t|b[].t", "1");
	check_path("{'a':[{'t':0}],'b':[{'t':1}]}", "a[].t|b[].t", "0");
	check_path("[{'b':1},{'b':2}]", ".[].b", "1 2");
	/* What is not in the value. */
	check_path("{}", "'word'", "\"word\"");
	check_path("{'t':1}", "/t.u", "5");
	check_path("{}", "%model", "\"m\"");
	check_path("{'x':3}", "%turn|x", "3");
}

/* The same of a path that is not compiled. */
static void
check_found(const char *text, const char *path, const char *expected)
{
	struct json_value found = member_path_find(parsed_str(quoted(text)), str_from(path));

	if (!CHECK_STR(found.type == JSON_ABSENT ? STR("") : json_span(found), expected))
		printf("%s in %s\n", path, text);
}

static void
test_found(void)
{
	check_found("{'a':{'b':1}}", "a.b", "1");
	check_found("{'a':null,'b':2}", "a|b", "null");
	check_found("{'b':2}", "a|b", "2");
	check_found("[7]", "a|.", "[7]");
	check_found("{'a':[{'c':0},{'b':1},{'b':2}]}", "a[].b", "1");
	check_found("{'a':{'b':1}}", "a[].b", "1");
	check_found("{'a':1}", "", "");
}

static void
check_conditions(const char *text, const char *conditions_text, bool expected)
{
	struct member_tree tree = MEMBER_TREE_INIT;
	struct conditions conditions;
	struct member_view view;
	struct json_value value = parsed_str(quoted(text));

	conditions_compile(&conditions, &tree, &variables, conditions_text);
	member_view_open(&view, &tree, &variables, value, value);
	if (!CHECK(conditions_hold(&conditions, &view) == expected) || !CHECK(!tree.is_broken))
		printf("'%s' of %s\n", conditions_text, text);
	if (!CHECK(!expected || (conditions.needed & ~member_there(&view)) == 0))
		printf("'%s' holds of %s, but needs more\n", conditions_text, text);
	arena_free(&tree.arena);
}

static void
test_rows_that_may_hold(void)
{
	static const struct {
		const char *when;
	} rows[] = {{"a"}, {"b.c"}, {"!a"}, {"a b"}, {"b|a"}, {"b[].c=x"}, {".:object"}, {"b:any"}};
	struct conditions_table table = CONDITIONS_TABLE(rows);
	struct json_value value = parsed_str(quoted("{'b':null}"));
	struct member_view view;
	uint8_t found[sizeof rows / sizeof rows[0]];
	char numbers[sizeof found + 1];
	unsigned count;

	conditions_table_open(&table, &view, value);
	count = conditions_table_list(&table, &view, found);
	for (unsigned i = 0; i < count; i++)
		numbers[i] = (char)('0' + found[i]);
	CHECK_STR(str_of(numbers, count), "124567");
	CHECK(conditions_table_find(&table, value) == 2);
	arena_free(&table.tree.arena);
}

static void
test_conditions(void)
{
	check_conditions("1", NULL, true);
	check_conditions("1", "", true);
	check_conditions("{'a':1}", "a", true);
	check_conditions("{'a':null}", "a", false);
	check_conditions("{'a':null}", "!a", true);
	check_conditions("{'a':1,'b':2}", "a !b", false);
	check_conditions("{'t':'call'}", "t=message|call", true);
	check_conditions("{'t':'calls'}", "t=message|call", false);
	check_conditions("{'t':'calls'}", "!t=message|call", true);
	check_conditions("{'t':7}", "t=7", false);
	check_conditions("{'t':'ATIF-v1'}", "t^ATIF|X", true);
	check_conditions("{'t':'An other'}", "t^'An other'", true);
	check_conditions("{'a':1,'t':'An'}", "a t^'An other'", false);
	check_conditions("{'c':[]}", "c:text", true);
	check_conditions("{'c':''}", "c:text", true);
	check_conditions("{'c':{}}", "c:text", false);
	check_conditions("{'c':{}}", "!c:array c:object", true);
	check_conditions("{'c':true}", "c:true", true);
	check_conditions("{'c':null}", "c:any", true);
	check_conditions("{'c':[]}", "c:any", true);
	check_conditions("{}", "c:any", false);
	check_conditions("{'c':null}", "!c:any", false);
	check_conditions("{'p':[{'type':'x'}]}", "p[].type=x", true);
	check_conditions("{'p':{'type':'x'}}", "p[].type=x", true);
}

static void
test_broken(void)
{
	static const char *const broken[] = {
	    "a:strange", "%no=1", "a b c d e f g", "a=1|2|3|4|5|6|7|8|9|10|11|12|13|14|15|16|17"};
	struct member_tree tree = MEMBER_TREE_INIT;
	struct conditions conditions;
	struct member_path path;

	for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
		tree.is_broken = false;
		conditions_compile(&conditions, &tree, &variables, broken[i]);
		CHECK(tree.is_broken);
	}
	tree.is_broken = false;
	member_path_compile(&path, &tree, &variables, STR("a|b|c|d|e"));
	CHECK(tree.is_broken);
	arena_free(&tree.arena);
}

/* Looks at the table, and those that its rows name; depth bounds those that name each other. */
static void
check_table(const char *dialect, const struct row_table *table, unsigned depth)
{
	if (!CHECK(!table->tree.is_broken) || !CHECK(table->count > 0))
		printf("rows of %s\n", dialect);
	for (unsigned i = 0; i < table->count && depth > 0; i++) {
		CHECK((table->rows[i].make == ROW_INSIDE) <=
		    (table->plan[i].pieces[0].inside != NULL));
		if (table->plan[i].inside != NULL)
			check_table(dialect, table->plan[i].inside, depth - 1);
	}
}

static void
test_tables(void)
{
	unsigned tables = 0;

	for (unsigned i = 0; dialect_reader_names[i] != NULL; i++) {
		const struct row_dialect *rows = dialect_readers[i]->rows;

		if (rows == NULL)
			continue;
		check_table(dialect_reader_names[i], row_table_compile(rows, rows->rows), 4);
		tables++;
	}
	CHECK(tables > 0);
}

int
main(void)
{
	buf_add_str(&values[0], STR("\"m\""));
	buf_pad(&values[0]);
	record = parsed("{\"t\":{\"u\":5}}");
	test_paths();
	test_found();
	test_conditions();
	test_rows_that_may_hold();
	test_broken();
	test_tables();
	buf_free(&values[0]);
	arena_free(&padded_arena);
	return unit_end();
}
