/* What tool calls do, which paths they name, and what shell commands write. */

#include "data/tool/tools.h"

#include "base/text/file_path.h"
#include "data/tool/own_tools.h"
#include "data/tool/shell_read.h"
#include "json_padded.h"
#include "unit.h"

static struct arena arena;

/* The use of a call of the tool with these arguments, which are an object or a string of one. */
static struct tool_use
use_of(const char *name, const char *arguments)
{
	char text[1024];
	struct message message;
	struct call_walk walk;
	struct tool_call call;
	struct tool_use use;
	struct tool_arguments read;

	snprintf(text, sizeof text,
	    "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c1\","
	    "\"function\":{\"name\":\"%s\",\"arguments\":%s}}]}",
	    name, arguments);
	message_parse(&message, padded(text));
	walk = call_walk_of(&message);
	CHECK(call_walk_next(&walk, &call));
	tool_arguments(call.arguments, &arena, &read);
	tool_classify(json_inner(call.name), &read, &arena, &use);
	CHECK(
	    tool_is_known(json_inner(call.name)) || (use.op == TOOL_OTHER && use.target.len == 0));
	return use;
}

static void
check_use(const char *name, const char *arguments, enum tool_op op, const char *target)
{
	struct tool_use use = use_of(name, arguments);

	if (!CHECK(use.op == op) || !CHECK_STR(use.target, target))
		printf("    of %s %s\n", name, arguments);
}

static void
test_table(void)
{
	check_use("Read", "{\"file_path\":\"/a/b.c\"}", TOOL_READ, "/a/b.c");
	check_use("read_file", "{\"absolute_path\":\"/a/b.c\"}", TOOL_READ, "/a/b.c");
	check_use("read", "\"{\\\"path\\\":\\\"./a//b.c\\\"}\"", TOOL_READ, "a/b.c");
	check_use("read", "{\"path\":\"a\\u0062.c\"}", TOOL_READ, "ab.c");
	check_use("READ", "{\"path\":\"x\",\"file_path\":\"y\"}", TOOL_READ, "y");
	check_use("write", "{\"filePath\":\"a/../b\"}", TOOL_WRITE, "b");
	check_use("create", "{\"filename\":\"b\"}", TOOL_WRITE, "b");
	check_use("create", "{\"title\":\"b\"}", TOOL_OTHER, "");
	check_use("MultiEdit", "{\"file_path\":\"b\"}", TOOL_EDIT, "b");
	check_use("NotebookEdit", "{\"notebook_path\":\"n\"}", TOOL_EDIT, "n");
	check_use("Bash", "{\"command\":\" make \\n\"}", TOOL_SHELL, "make");
	check_use("exec_command", "{\"cmd\":\"ls\"}", TOOL_SHELL, "ls");
	check_use("shell", "{\"command\":[\"sh\",\"-c\",\"ls\"]}", TOOL_SHELL, "ls");
	check_use("shell", "{\"command\":[\"/bin/bash\",\"-lc\",\"rm a\"]}", TOOL_SHELL, "rm a");
	check_use("shell", "{\"command\":[\"ls\",\"-c\",\"a\"]}", TOOL_SHELL, "ls -c a");
	check_use("apply_patch", "{\"input\":\"*** Begin Patch\\n*** Update File: ./a.c\\n\"}",
	    TOOL_EDIT, "a.c");
	check_use("apply_patch", "{\"patch\":\"*** Update File: a.c\\n*** Move to: b.c\"}",
	    TOOL_SHELL, "*** Update File: a.c\n*** Update File: b.c");
	check_use("apply_patch", "{\"patch\":\"nothing\"}", TOOL_OTHER, "");
	check_use("apply_patch", "{\"path\":\"a\"}", TOOL_OTHER, "");
	check_use("apply_patch", "7", TOOL_OTHER, "");
	check_use("apply_patch", "\"*** Begin Patch\\n*** Add File: a.c\\n+x\"", TOOL_EDIT, "a.c");
	check_use("applypatch", "{\"input\":\"*** Delete File: a.c\"}", TOOL_EDIT, "a.c");
	check_use("Apply_Patch",
	    "{\"command\":[\"apply_patch\",\"*** Begin Patch\\n*** Update File: a.c\\n\"]}",
	    TOOL_EDIT, "a.c");
	check_use("read", "\"*** Begin Patch\\n*** Add File: a.c\\n+x\"", TOOL_OTHER, "");
	check_use("sound", "{\"path\":\"a\"}", TOOL_OTHER, "");
	check_use("readx", "{\"path\":\"a\"}", TOOL_OTHER, "");
	check_use("read", "{\"name\":\"a\"}", TOOL_OTHER, "");
	check_use("read", "{\"path\":7}", TOOL_OTHER, "");
	check_use("read", "{\"path\":\"\"}", TOOL_OTHER, "");
	check_use("read", "\"{\\\"path\\\":\"", TOOL_OTHER, "");
	check_use("read", "\"[\\\"path\\\"]\"", TOOL_OTHER, "");
	check_use("read", "7", TOOL_OTHER, "");
}

static void
test_editors(void)
{
	check_use("str_replace_editor", "{\"command\":\"view\",\"path\":\"a\"}", TOOL_READ, "a");
	check_use("file_editor", "{\"command\":\"create\",\"path\":\"a\"}", TOOL_WRITE, "a");
	check_use("str_replace_based_edit_tool", "{\"command\":\"insert\",\"path\":\"/a/\"}",
	    TOOL_EDIT, "/a");
	check_use("str_replace_editor", "{\"command\":\"view\"}", TOOL_OTHER, "");
}

static void
check_lines(const char *name, const char *arguments, int64_t first, int64_t last)
{
	struct tool_use use = use_of(name, arguments);

	if (!CHECK(use.first_line == first) || !CHECK(use.last_line == last))
		printf("    of %s\n", arguments);
}

static void
test_lines(void)
{
	check_lines("read", "{\"path\":\"a\"}", 1, TOOL_LAST_LINE);
	check_lines("read", "{\"path\":\"a\",\"offset\":10}", 10, TOOL_LAST_LINE);
	check_lines("read", "{\"path\":\"a\",\"offset\":10,\"limit\":5}", 10, 14);
	check_lines("read", "{\"path\":\"a\",\"limit\":5}", 1, 5);
	check_lines("read", "{\"path\":\"a\",\"offset\":-3,\"limit\":0}", 1, TOOL_LAST_LINE);
	check_lines("read", "{\"path\":\"a\",\"offset\":2,\"limit\":9223372036854775807}", 2,
	    TOOL_LAST_LINE);
	check_lines("view", "{\"path\":\"a\",\"view_range\":[3,9]}", 3, 9);
	check_lines("view", "{\"path\":\"a\",\"view_range\":[3,-1]}", 3, TOOL_LAST_LINE);
	check_lines("file_editor", "{\"command\":\"view\",\"path\":\"a\",\"view_range\":[3]}", 3,
	    TOOL_LAST_LINE);
	check_lines("read", "{\"path\":\"a\",\"offset\":\"10\"}", 1, TOOL_LAST_LINE);
	check_lines("read_file", "{\"path\":\"a\",\"start_line\":40,\"end_line\":95}", 40, 95);
	check_lines("read_file", "{\"filePath\":\"a\",\"startLine\":40,\"endLine\":95}", 40, 95);
	check_lines("view", "{\"path\":\"a\",\"StartLine\":40,\"EndLine\":95}", 40, 95);
	check_lines("read",
	    "{\"path\":\"a\",\"start_line_one_indexed\":2,\"end_line_one_indexed_inclusive\":3}", 2,
	    3);
	check_lines("read", "{\"path\":\"a\",\"line_start\":40,\"line_end\":95}", 40, 95);
	check_lines("read", "{\"path\":\"a\",\"read_range\":[40,95]}", 40, 95);
	check_lines("read", "{\"path\":\"a\",\"line_range\":[40,95]}", 40, 95);
	check_lines("read", "{\"path\":\"a\",\"start_line\":0,\"end_line\":-1}", 1, TOOL_LAST_LINE);
}

static void
check_shows(const char *command, const char *path, int64_t first, int64_t last)
{
	struct tool_use use;
	bool is = shell_read_find(str_from(command), &arena, &use);

	if (!CHECK(is == (path != NULL)) ||
	    (is &&
		(!CHECK_STR(use.target, path) || !CHECK(use.first_line == first) ||
		    !CHECK(use.last_line == last))))
		printf("    of '%s'\n", command);
}

static void
test_shell_reads(void)
{
	static const char *const others[] = {"", "cat", "cat a b", "cat a; cat b", "cat a > b",
	    "cat a | grep x", "tail a", "tail -n 5 a", "head -c 5 a", "head -n -5 a",
	    "sed -n /x/p a", "sed -n '1,2p;5p' a", "sed s/x/y/ a", "sed -n 9,3p a", "cat a || true",
	    "make | head -5", "cat a && make", "cat a | tee b", "cd x | cat a", "cat $x",
	    "sed -n 1,5p a | sed -n 9p", "head -n +5 a", "cat a |", "cd \"$DIR\" && cat a",
	    "cd - && cat a", "cd a b && cat c", "head a -n 5", "tail a -n +5", "sed -n 3p a -e 5p",
	    "sed -n 1234567890p a"};

	check_shows("cat ./a.c", "a.c", 1, TOOL_LAST_LINE);
	check_shows("sed -n 40,95p src/a.c", "src/a.c", 40, 95);
	check_shows("sed -n '40,95p' a.c 2>/dev/null", "a.c", 40, 95);
	check_shows("sed -n 40p a.c", "a.c", 40, 40);
	check_shows("sed -n '40,$p' a.c", "a.c", 40, TOOL_LAST_LINE);
	check_shows("cd src && nl -ba a.c | sed -n '40,95p'", "src/a.c", 40, 95);
	check_shows("cat -n a.c | tail -n +40 | head -n 10", "a.c", 40, 49);
	check_shows("sed -n 40,50p a.c | head -20", "a.c", 40, 50);
	check_shows("head a.c", "a.c", 1, 10);
	check_shows("head -n 3 a.c", "a.c", 1, 3);
	check_shows("head -n3 a.c", "a.c", 1, 3);
	check_shows("tail -n +7 $HOME/a.c", "~/a.c", 7, TOOL_LAST_LINE);
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		check_shows(others[i], NULL, 0, 0);
}

static bool
has_failed(const char *text)
{
	struct buf json = BUF_INIT;
	struct message message;
	bool is;

	buf_add_fmt(&json, "{\"role\":\"tool\",\"content\":\"%s\"}", text);
	buf_pad(&json);
	message_parse(&message, buf_str(&json));
	is = shell_read_failed(&message);
	buf_free(&json);
	return is;
}

static void
test_shell_read_failed(void)
{
	CHECK(has_failed("cat: a.c: Permission denied\\n"));
	CHECK(has_failed("Exit code: 1\\nWall time: 0.1 seconds\\nOutput:\\nsed: can't read a"));
	CHECK(!has_failed("") && !has_failed("int cat;\\ncat: no\\n"));
}

static void
check_path(const char *path, const char *expected)
{
	if (!CHECK_STR(file_path_normalize(str_from(path), &arena), expected))
		printf("    of '%s'\n", path);
}

static void
test_paths(void)
{
	check_path("", "");
	check_path(".", "");
	check_path("a", "a");
	check_path("./a/.//b/", "a/b");
	check_path("a/../b", "b");
	check_path("a/b/../../c", "c");
	check_path("a/..", "");
	check_path("..", "..");
	check_path("../../a", "../../a");
	check_path("a/../../b", "../b");
	check_path("../a/../..", "../..");
	check_path("/", "/");
	check_path("//", "/");
	check_path("/..", "/");
	check_path("/../a", "/a");
	check_path("/a/../../..//b/.", "/b");
	check_path("..a/...", "..a/...");
	check_path("/a/..b/..", "/a");
}

static void
add_path(void *context, enum tool_op kind, struct str path)
{
	struct buf *list = context;

	buf_add_str(list, kind == TOOL_DELETE ? STR("-") : kind == TOOL_READ ? STR("=") : STR(""));
	buf_add_str(list, path);
	buf_add_char(list, '|');
}

static void
check_writes(const char *command, const char *expected)
{
	struct buf list = BUF_INIT;

	tool_shell_files(str_from(command), &arena, add_path, &list);
	if (!CHECK_STR(list, expected))
		printf("    of '%s'\n", command);
	buf_free(&list);
}

static void
test_shell(void)
{
	check_writes("", "");
	check_writes("ls -l a.c", "");
	check_writes("cat a -n ./b/../c - /dev/null | wc; cat *.c $x d > e", "=a|=c|e|");
	check_writes(
	    "sed -n 1,20p a; sed -n -e 1p -e 2p b c; sed s/x/y/ d | sed p > f", "=a|=b|=c|=d|f|");
	check_writes("head -20 a && head -n 20 -v b 2>/dev/null; head -c5 c | less", "=a|=b|=c|");
	check_writes("tail -n +5 a; tail -fs 3 b; nl -ba c; nl -b a d", "=a|=b|=c|=d|");
	check_writes("cd src && cat a.c; cat <<E\nb\nE\ncat < c", "=src/a.c|");
	check_writes("make > log 2>&1", "log|");
	check_writes("make >>./log", "log|");
	check_writes("echo '>' x \">\" y", "");
	check_writes("a | tee -a x y | b; rm -f z", "x|y|-z|");
	check_writes("mv a b && cp c d/", "-a|b|d|");
	check_writes("cp -r a b c", "c|");
	check_writes("sed -i 's/a/b/' x.c y.c", "x.c|y.c|");
	check_writes("sed -n p x.c", "=x.c|");
	check_writes("git checkout -- a.c", "a.c|");
	check_writes("git status a.c", "");
	check_writes("git checkout main", "");
	check_writes("git checkout -b refactor", "");
	check_writes("git checkout HEAD -- a.c b.c", "a.c|b.c|");
	check_writes("git restore -s HEAD a.c", "a.c|");
	check_writes("git mv a.c b.c", "-a.c|b.c|");
	check_writes("git rm -f a.c b.c", "-a.c|-b.c|");
	check_writes("git rm --cached a.c", "");
	check_writes(
	    "cd x && apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.c\n-x\n rm z\n"
	    "*** Move to: b.c\n*** Add File: ./c.c\n+y\n*** Delete File: d.c\n*** End Patch\nEOF",
	    "x/a.c|x/b.c|x/c.c|-x/d.c|");
	check_writes("apply_patch *** Begin Patch\n*** Update File: a.c\n rm z\n", "a.c|");
	check_writes("*** Update File: a.c\n*** Update File: b.c", "a.c|b.c|");
	check_writes("cat <<EOF\n*** Update File: a.c\nEOF", "");
	check_writes("/opt/bin/apply_patch <<EOF\n*** Update File: a.c\nEOF", "a.c|");
	check_writes("cat <<EOF | applypatch\n*** Update File: a.c\nEOF", "a.c|");
	check_writes("apply_patch '*** Begin Patch\n*** Add File: a b.c\n+x\n'", "a b.c|");
	check_writes("rm \"a b\"", "-a b|");
	check_writes("rm $x *.o ~/a `b` c", "-~/a|-c|");
	check_writes("cd ~/t && rm a.c ~/b ~ann/a ~/../a ~; cat a >~/c", "-~/t/a.c|-~/b|~/c|");
	check_writes("cp a $HOME/x; rm \"$HOME/a b\" ${HOME}/c \"$HOME\"/d; cat x >\"${HOME}/e\"",
	    "~/x|-~/a b|-~/c|-~/d|~/e|");
	check_writes(
	    "rm '$HOME/a' \"~/b\" $HOMER/c \"$HOME/$x\" $HOME/../d $HOME a$HOME/e '~/f'", "");
	check_writes("cd $HOME/t && rm a; cd \"$HOME\" && rm b; cd ~ && rm c", "-~/t/a|-~/b|-~/c|");
}

/* A directory that grows with each cd is not known beyond a length, and takes no room. */
static void
test_long_directory(void)
{
	enum { CDS = 60000 };
	struct buf line = BUF_INIT;

	for (int i = 0; i < CDS; i++)
		buf_add_str(&line, STR("cd x; "));
	buf_add_str(&line, STR("rm a; cd /b; rm c"));
	buf_add_char(&line, 0);
	check_writes(line.ptr, "-/b/c|");
	buf_free(&line);
}

static void
test_more_shell(void)
{
	check_writes("x > /dev/null", "");
	check_writes("cat > a.c <<EOF\nrm b\nEOF", "a.c|");
	check_writes("sed -i -e s/a/b/ -n -- x.c", "x.c|");
	check_writes("sed -n -i.old -f y.sed x.c", "x.c|");
	check_writes("rm 'a; rm b", "");
	check_writes("rm a\"b\" a\\\\b 'c'd e", "-e|");
	check_writes("rm 'a b' \"c d\"", "-a b|-c d|");
	check_writes("cd src && rm a.c; cd ../doc; mv /b c > d", "-src/a.c|doc/d|-/b|doc/c|");
	check_writes("rm a; cd $x && rm b; cd / && rm c; cd; rm d", "-a|-/c|-~/d|");
	check_writes("cd - && rm a; cd b; rm c /d; pushd /e; rm f; popd; rm g", "-/d|-/e/f|");
	check_writes("tee out.log < in.txt; rm < x", "out.log|");
	check_writes("cat > a.c <<'EOF'\nrm b\nEOF\nrm a.c", "a.c|-a.c|");
	check_writes("cat <<-EOF > a.c && rm b\nrm c\n\tEOF\nrm d", "a.c|-b|-d|");
	check_writes("cat <<X <<Y\nrm b\nX\nrm c\nY\nrm d", "-d|");
	check_writes("git commit -m \"$(cat <<'X'\nit's\nX\n)\"; rm a\\ b c", "-c|");
	check_writes("cat <<X\nrm b", "");
	check_writes("cat <<X", "");
	check_writes("tee a <<< x y\nrm b", "a|y|-b|");
	check_writes("ls # > a.c; rm b\n# rm c\nrm d#e f", "-d#e|-f|");
	check_writes("rm a #", "-a|");
	check_writes(">", "");
}

static void
add_own(const char *text)
{
	struct buf message = BUF_INIT;

	CHECK(own_tools_add(str_from(text), &message) && message.len == 0);
}

static void
check_malformed(const char *text)
{
	struct buf message = BUF_INIT;

	if (!CHECK(!own_tools_add(str_from(text), &message) && message.len > 0))
		printf("    of %s\n", text);
	buf_free(&message);
}

static void
test_own(void)
{
	static const char *const malformed[] = {"", "=", "a", "a=", "a=read", "a=read:", "=read:x",
	    "a=other:x", "a=Read:x", "a:read=x", "a=read:\xff"};

	for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++)
		check_malformed(malformed[i]);
	CHECK(own_tools_find(STR("a")) == NULL && !tool_is_known(STR("peek")));
	add_own("peek=edit:file");
	add_own("peek=read:file");
	add_own("run=shell:a:b=c");
	add_own("read=write:to");
	add_own("apply_patch=edit:path");
	check_use("Peek", "{\"file\":\"./a.c\"}", TOOL_READ, "a.c");
	check_use("peek", "\"{\\\"file\\\":\\\"a.c\\\"}\"", TOOL_READ, "a.c");
	check_use("peek", "{\"file\":7}", TOOL_OTHER, "");
	check_use("peek", "{\"path\":\"a.c\"}", TOOL_OTHER, "");
	check_use("peek", "[]", TOOL_OTHER, "");
	check_use("run", "{\"a:b=c\":[\"sh\",\"-c\",\"ls\"]}", TOOL_SHELL, "ls");
	check_use("read", "{\"path\":\"a\",\"to\":\"b\"}", TOOL_WRITE, "b");
	check_use("apply_patch", "{\"path\":\"a\"}", TOOL_EDIT, "a");
	CHECK(use_of("peek", "{\"file\":\"a\",\"limit\":9,\"offset\":2}").last_line == 10);
	CHECK(!use_of("peek", "{\"file\":\"a\",\"limit\":9}").is_part);
	CHECK(use_of("peek", "{\"file\":\"a\",\"limits\":9}").is_part);
	CHECK(!use_of("run", "{\"a:b=c\":\"ls\",\"x\":9}").is_part);
}

int
main(void)
{
	message_init();
	test_table();
	test_editors();
	test_lines();
	test_paths();
	test_shell();
	test_more_shell();
	test_long_directory();
	test_shell_reads();
	test_shell_read_failed();
	test_own();
	CHECK_STR(tool_op_name(TOOL_EDIT), "edit");
	arena_free(&arena);
	arena_free(&padded_arena);
	return unit_end();
}
