/* The held session: what all of its records together tell about each. */

#include "data/change.h"
#include "data/session/session_builder.h"
#include "data/session/session_judgement.h"
#include "data/session/session_locks.h"

#include "json_padded.h"
#include "unit.h"

static struct session t;

#define USER "{'role':'user','content':'u'}"
#define SAYS "{'role':'assistant','content':'x'}"
#define CALL(id) "{'role':'assistant','tool_calls':[{'id':'" id "','function':{'name':'f'}}]}"
#define READ(id, path) \
	"{'role':'assistant','tool_calls':[{'id':'" id "','name':'read','input':{'path':'" path \
	"'}}]}"
#define GETS(id) "{'role':'tool','tool_call_id':'" id "','content':'r'}"
#define FAILS(id) "{'role':'tool','tool_call_id':'" id "','metadata':{'is_error':true}}"
#define ERROR "{'role':'assistant','content':'e','metadata':{'origin':'error'}}"

/* Holds these records, ended by NULL and written with ' for ", as lines ended by CR LF. */
static void
hold(enum current current, const char *id, const char *const *text)
{
	session_free(&t);
	session_init(&t);
	session_set_current(&t, current, str_from(id));
	for (; *text != NULL; text++) {
		size_t len = strlen(*text);
		struct line line = {.number = 1};
		struct message message;
		char *copy;

		copy = memcpy(arena_alloc(&padded_arena, len + 2 + JSON_PADDING), *text, len);
		memset(copy + len, 0, 2 + JSON_PADDING);
		memcpy(copy + len, "\r\n", 2);
		for (size_t i = 0; i < len; i++)
			if (copy[i] == '\'')
				copy[i] = '"';
		line.raw = str_of(copy, len + 2);
		line.text = str_of(copy, len);
		message_parse(&message, line.text);
		session_add(&t, &line, &message);
	}
	session_end(&t);
}

#define HOLD(...) hold(CURRENT_AUTO, "", (const char *const[]){__VA_ARGS__, NULL})

/* Which entries are final, as a row of 0 and 1. */
static void
check_finals(const char *expected)
{
	char row[64] = {0};

	for (uint32_t i = 0; i < t.count; i++)
		row[i] = t.entry[i].is_final ? '1' : '0';
	CHECK_STR(str_from(row), expected);
}

static void
test_finals(void)
{
	HOLD(USER, SAYS, SAYS, USER, SAYS);
	check_finals("00101");
	HOLD(USER, SAYS, CALL("c"), GETS("c"), SAYS);
	check_finals("00001");
	HOLD(USER, SAYS, CALL("c"), GETS("c"), "{'role':'user','metadata':{'execution_id':'e'}}");
	check_finals("00000");
	HOLD(USER, SAYS, "{'role':'assistant','content':' '}");
	check_finals("010");
	HOLD(USER, SAYS, "{'role':'assistant','content':'x','metadata':{'kind':'summary'}}");
	check_finals("010");
	HOLD(USER, ERROR, ERROR, USER, ERROR, SAYS, USER, ERROR);
	check_finals("00100101");
	HOLD(USER, CALL("c"), "{'role':'tool','tool_call_id':'c','metadata':{'origin':'error'}}",
	    "{'role':'assistant','content':'e','metadata':{'origin':'error','is_trace':true}}",
	    "{'role':'user','metadata':{'execution_id':'e'}}");
	check_finals("00000");
}

static void
test_current(void)
{
	static const char *const text[] = {USER, SAYS, USER, CALL("c"), NULL};
	static const char *const over[] = {USER, SAYS, NULL};

	hold(CURRENT_AUTO, "", text);
	CHECK(t.execution_count == 2 && !t.execution[0].is_current && t.execution[1].is_current);
	CHECK(t.execution[0].is_over && !t.execution[1].is_over);
	CHECK(t.execution[0].first == 0 && t.execution[0].last == 1 && t.execution[0].final == 1);
	CHECK(t.execution[1].final == NONE);
	CHECK(session_is_current(&t, &t.entry[3]) && !session_is_current(&t, &t.entry[0]));
	hold(CURRENT_NONE, "", text);
	CHECK(!t.execution[0].is_current && !t.execution[1].is_current);
	CHECK(session_group_lock(&t, &t.group[0]) == LOCK_OPEN);
	hold(CURRENT_ID, "#1", text);
	CHECK(t.execution[0].is_current && !t.execution[1].is_current);
	hold(CURRENT_ID, "#3", text);
	CHECK(!t.execution[0].is_current && !t.execution[1].is_current);
	hold(CURRENT_AUTO, "", over);
	CHECK(t.execution[0].is_over && !t.execution[0].is_current);
	hold(CURRENT_LAST, "", over);
	CHECK(t.execution[0].is_over && t.execution[0].is_current);
}

static void
test_groups(void)
{
	HOLD(USER, "{'role':'assistant','tool_calls':[{'id':'a'},{'id':'b'}]}", GETS("b"), USER,
	    "{'role':'tool','tool_call_id':'a','metadata':{'pinned':true}}", GETS("a"));
	CHECK(t.group_count == 1 && t.call_count == 2);
	CHECK(t.group[0].entry == 1 && t.group[0].last == 4);
	CHECK(t.group[0].calls == 2 && t.group[0].answered == 2);
	CHECK(t.group[0].is_pinned && !session_is_open(&t, &t.group[0]) &&
	    t.group[0].unresolved == 0);
	CHECK(t.call[0].result == 4 && t.call[1].result == 2);
	CHECK(t.entry[2].call == 1 && t.entry[4].call == 0 && t.entry[5].call == NONE);
	CHECK(t.entry[5].group == NONE && t.entry[1].group == 0);
	CHECK(t.entry[4].turn == 2 && t.turn_count == 2 && t.message_count == 6);
	CHECK_STR(t.call[1].id, "b");
	HOLD(USER, "{'role':'assistant','tool_calls':[{'id':'a'}],'metadata':{'pinned':true}}",
	    GETS("a"));
	CHECK(t.group[0].is_pinned);
}

static void
test_frozen(void)
{
	HOLD(
	    USER, CALL("c1"), CALL("c2"), GETS("c2"), "{bad", GETS("c1"), CALL("c3"), USER, "{bad");
	CHECK(t.group_count == 3);
	CHECK(t.group[0].is_frozen && !t.group[1].is_frozen && !t.group[2].is_frozen);
	HOLD(CALL("c1"), "{bad", "{bad", CALL("c2"), "[]", "", CALL("c3"), "{bad");
	CHECK(t.group[0].is_frozen && t.group[1].is_frozen && t.group[2].is_frozen);
}

/* Whether the first call of the session is unresolved. */
static void
check_open(bool expected, int line)
{
	if (!CHECK(t.call[0].is_unresolved == expected && (t.group[0].unresolved > 0) == expected))
		printf("    in the check of line %d\n", line);
}

#define UNRESOLVED(...) (HOLD(USER, __VA_ARGS__), check_open(true, __LINE__))
#define RESOLVED(...) (HOLD(USER, __VA_ARGS__), check_open(false, __LINE__))

static void
test_unresolved(void)
{
	RESOLVED(CALL("c"), GETS("c"), SAYS);
	UNRESOLVED(CALL("c"), FAILS("c"));
	UNRESOLVED(CALL("c"), SAYS);
	UNRESOLVED(CALL("c"), USER);
	RESOLVED(CALL("c"));
	RESOLVED(CALL("c"), FAILS("c"), CALL("d"), GETS("d"));
	RESOLVED(CALL("c"), FAILS("c"), CALL("d"), FAILS("d"));
	UNRESOLVED(CALL("c"), FAILS("c"), READ("d", "a"), GETS("d"));
	RESOLVED(READ("c", "a"), FAILS("c"), READ("d", "./a"), GETS("d"));
	UNRESOLVED(READ("c", "a"), FAILS("c"), READ("d", "b"), GETS("d"));
	RESOLVED(READ("c", "a"), FAILS("c"), READ("c", "b"), FAILS("c"), READ("d", "a"), GETS("d"));
	RESOLVED(CALL("c"), USER, CALL("d"), GETS("d"));
	UNRESOLVED(CALL("d"), FAILS("d"),
	    "{'role':'assistant','tool_calls':[{'id':'c','function':{'name':'f','arguments':'{}'}}]"
	    "}",
	    GETS("c"));
}

static void
test_said(void)
{
#define SAID(flag) "{'role':'tool','tool_call_id':'c','metadata':{'is_error':true," flag "}}"
	RESOLVED(CALL("c"), SAID("'resolved':true"));
	UNRESOLVED(CALL("c"), SAID("'resolved':null"));
	UNRESOLVED(CALL("c"), SAID("'resolved':false"), CALL("d"), GETS("d"),
	    "{'role':'user','metadata':{'resolves':'c'}}");
	UNRESOLVED(CALL("c"), "{'role':'tool','tool_call_id':'c','metadata':{'resolved':false}}");
	RESOLVED(CALL("c"), FAILS("c"), "{'role':'user','metadata':{'resolves':'c'}}");
	RESOLVED(CALL("c"), FAILS("c"), "{'role':'user','metadata':{'resolves':['d','\\u0063']}}");
	UNRESOLVED(CALL("c"), FAILS("c"), "{'role':'user','metadata':{'resolves':['d',7]}}");
	UNRESOLVED("{'role':'user','metadata':{'resolves':'c'}}", CALL("c"), FAILS("c"));
	RESOLVED(CALL("c"), SAYS, "{'role':'user','metadata':{'resolves':'c'}}");
#define REFUSED(more) \
	"{'role':'tool','tool_call_id':'c','content':'exec command rejected by user'," \
	"'metadata':{'is_error':true" more "}}"
	RESOLVED(CALL("c"), REFUSED(""));
	RESOLVED(CALL("c"), FAILS("c"), CALL("c"), REFUSED(""));
	UNRESOLVED(CALL("c"), REFUSED(",'resolved':false"));
}

#define EDITS(id, tool, path) \
	"{'role':'assistant','tool_calls':[{'id':'" id "','name':'" tool \
	"','input':{'path':'" path "'}}]}"

/* A failure is made good by another tool of the same kind. */
static void
test_kinds(void)
{
	RESOLVED(EDITS("c", "edit", "a"), FAILS("c"), EDITS("d", "Write", "./a"), GETS("d"));
	RESOLVED(
	    EDITS("c", "write", "a"), FAILS("c"), EDITS("d", "replace_in_file", "a"), GETS("d"));
	RESOLVED(EDITS("c", "read", "a"), FAILS("c"), EDITS("d", "cat", "a"), GETS("d"));
	RESOLVED(EDITS("c", "edit", "a"), FAILS("c"),
	    "{'role':'assistant','tool_calls':[{'id':'d','name':'apply_patch','input':"
	    "{'input':'*** Begin Patch\\n*** Update File: ./a\\n*** End Patch'}}]}",
	    GETS("d"));
	UNRESOLVED(EDITS("c", "edit", "a"), FAILS("c"), EDITS("d", "write", "b"), GETS("d"));
	UNRESOLVED(EDITS("c", "edit", "a"), FAILS("c"), EDITS("d", "write", "a"), FAILS("d"));
	UNRESOLVED(EDITS("c", "edit", "a"), FAILS("c"), EDITS("d", "read", "a"), GETS("d"));
	UNRESOLVED(EDITS("c", "read", "a"), FAILS("c"), EDITS("d", "edit", "a"), GETS("d"));
	/* A tool that nobody knows has no target. */
	UNRESOLVED(EDITS("c", "edit", "a"), FAILS("c"), EDITS("d", "mend", "a"), GETS("d"));
	/* What a sub-agent does is not in the thread. */
	UNRESOLVED(EDITS("c", "edit", "a"), FAILS("c"),
	    "{'role':'assistant','tool_calls':[{'id':'d','name':'write','input':{'path':'a'}}],"
	    "'metadata':{'parent_execution_id':'x'}}",
	    "{'role':'tool','tool_call_id':'d','metadata':{'parent_execution_id':'x'}}");
	UNRESOLVED(CALL("c"), FAILS("c"),
	    "{'role':'assistant','tool_calls':[{'id':'d','function':{'name':'f'}}],'metadata':{"
	    "'parent_execution_id':'x'}}",
	    "{'role':'tool','tool_call_id':'d','metadata':{'is_error':true,"
	    "'parent_execution_id':'x'}}");
}

#define RUNS(id, command) \
	"{'role':'assistant','tool_calls':[{'id':'" id \
	"','name':'bash','input':{'command':'" command "'}}]}"
#define ENDS(id, text) \
	"{'role':'tool','tool_call_id':'" id "','content':'" text "','metadata':{'is_error':true}" \
	"}"

/* A search that found nothing, with no text and status 1, has not failed. */
static void
test_no_match(void)
{
	RESOLVED(RUNS("c", "rg x src"), ENDS("c", "Command exited with code 1"));
	RESOLVED(RUNS("c", "cd src && grep x a | grep -v y"),
	    ENDS("c", "(no output)\\n\\nExit code 1\\n"));
	RESOLVED(RUNS("c", "git diff --quiet"),
	    ENDS("c", "Exit code: 1\\nWall time: 0.1 seconds\\nOutput:\\n"));
	RESOLVED(RUNS("c", "cd src; make | grep -q x"),
	    ENDS("c",
		"{\\u0022output\\u0022:\\u0022\\u0022,\\u0022metadata\\u0022:{"
		"\\u0022exit_code\\u0022:1,\\u0022duration_seconds\\u0022:0.1}}"));
	RESOLVED(RUNS("c", "diff -q a b"), ENDS("c", ""));
	CHECK(!t.entry[2].is_error && t.call[0].has_no_match);
	UNRESOLVED(RUNS("c", "grep x a"), ENDS("c", "grep: a: No such file\\nExit code 2"));
	UNRESOLVED(RUNS("c", "grep x a"), ENDS("c", "Exit code 2"));
	UNRESOLVED(RUNS("c", "grep x a"), ENDS("c", "Exit code -9"));
	UNRESOLVED(RUNS("c", "grep x a"), ENDS("c", "grep: a: oil\\nExit code 1"));
	UNRESOLVED(RUNS("c", "make"), ENDS("c", "Exit code 1"));
	UNRESOLVED(RUNS("c", "grep x a && make"), ENDS("c", "Exit code 1"));
	UNRESOLVED(RUNS("c", "make >log && grep x a"), ENDS("c", "Exit code 1"));
	UNRESOLVED(RUNS("c", "make >log | grep x a"), ENDS("c", "Exit code 1"));
	UNRESOLVED(RUNS("c", "./verify.sh && test -f out/done"), ENDS("c", "Exit code 1"));
	UNRESOLVED(RUNS("c", "make -s; git diff --exit-code"), ENDS("c", "Exit code 1"));
	UNRESOLVED(RUNS("c", "make -s | tail -1 && grep -q OK log"), ENDS("c", ""));
	UNRESOLVED(RUNS("c", "grep x a"),
	    "{'role':'tool','tool_call_id':'c','content':'','metadata':{'is_error':true,"
	    "'resolved':false}}");
}

/* A command that failed is made good by another one that reaches its end. */
static void
test_ends(void)
{
	RESOLVED(RUNS("c", "cp a.c out/b.c"), FAILS("c"), RUNS("d", "cp x.c out/b.c"), GETS("d"));
	RESOLVED(RUNS("c", "cp a.json.old a.json"), FAILS("c"), EDITS("d", "write", "a.json"),
	    GETS("d"));
	RESOLVED(RUNS("c", "mkdir -p out && cp a.c out/b.c"), FAILS("c"),
	    RUNS("d", "cat y > out/b.c"), GETS("d"));
	RESOLVED(RUNS("c", "mkdir out"), FAILS("c"), RUNS("d", "mkdir -p ./out"), GETS("d"));
	RESOLVED(RUNS("c", "cp a out/"), FAILS("c"), EDITS("d", "write", "out/a"), GETS("d"));
	RESOLVED(EDITS("c", "edit", "a"), FAILS("c"), RUNS("d", "sed -i s/x/y/ a"), GETS("d"));
	RESOLVED(RUNS("c", "ln -s x/a b"), FAILS("c"), RUNS("d", "ln -sf y/a b"), GETS("d"));
	UNRESOLVED(RUNS("c", "cp a b"), FAILS("c"), RUNS("d", "cp a c"), GETS("d"));
	UNRESOLVED(RUNS("c", "cp a b"), FAILS("c"), RUNS("d", "cp c b"), FAILS("d"));
	UNRESOLVED(RUNS("c", "cp a b"), FAILS("c"), EDITS("d", "edit", "b"), GETS("d"));
	UNRESOLVED(RUNS("c", "make && cp a b"), FAILS("c"), RUNS("d", "cp c b"), GETS("d"));
	UNRESOLVED(RUNS("c", "cp a b; cp c d"), FAILS("c"), RUNS("d", "cp e d"), GETS("d"));
	UNRESOLVED(
	    RUNS("c", "cp a.c b.c && cp c.c d.c"), FAILS("c"), RUNS("d", "cp e.c d.c"), GETS("d"));
	UNRESOLVED(RUNS("c", "cp a out/"), FAILS("c"), RUNS("d", "mkdir out"), GETS("d"));
	UNRESOLVED(RUNS("c", "cp a out"), FAILS("c"), RUNS("d", "cp b out"), GETS("d"));
	UNRESOLVED(RUNS("c", "cp a out"), FAILS("c"), RUNS("d", "mkdir -p out"), GETS("d"));
	UNRESOLVED(RUNS("c", "cat a > b"), FAILS("c"), RUNS("d", "echo x > b"), GETS("d"));
	UNRESOLVED(EDITS("c", "edit", "a"), FAILS("c"), RUNS("d", "touch a"), GETS("d"));
}

/* What hides the status of a command, or may skip it, makes nothing good. */
static void
test_hidden_ends(void)
{
	static const char *const hidden[] = {"cp x/a.c b.c; ls out", "cp x/a.c b.c || echo no",
	    "cp x/a.c b.c | cat", "cp x/a.c b.c &", "cp x/a.c b.c\\nls", "no && cp x/a.c b.c; ls",
	    "cd $x && cp x/a.c b.c", "cat > b.c <<E || no\\nE\\n", "false && echo x > b.c; ls"};
	static const char *const plain[] = {"cp x/a.c b.c", "cd . && cp x/a.c b.c;",
	    "mkdir -p x && cp x/a.c b.c && ls", "cat > b.c <<E\\nx\\nE\\n", "ls | tee b.c",
	    "apply_patch <<E\\n*** Add File: b.c\\n+x\\nE\\n"};
	char line[256];

	for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++) {
		snprintf(line, sizeof line, RUNS("d", "%s"), hidden[i]);
		UNRESOLVED(RUNS("c", "cp a.c b.c"), FAILS("c"), line, GETS("d"));
		UNRESOLVED(EDITS("c", "edit", "b.c"), FAILS("c"), line, GETS("d"));
	}
	for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
		snprintf(line, sizeof line, RUNS("d", "%s"), plain[i]);
		RESOLVED(RUNS("c", "cp a.c b.c"), FAILS("c"), line, GETS("d"));
		RESOLVED(EDITS("c", "edit", "b.c"), FAILS("c"), line, GETS("d"));
	}
}

/* The same call, of which the arguments were shortened and the digest is noted. */
#define NOTED(id) \
	"{'role':'assistant','tool_calls':[{'id':'" id \
	"','function':{'name':'f','arguments':'{}'}}],'metadata':{'compacted':true,'call_keys':[" \
	"'490b5fff836fc9180f19c625e793a8cd']}}"

/* Of the failures of one call only the newest is unresolved. */
static void
test_retried(void)
{
	HOLD(USER, CALL("1"), FAILS("1"), CALL("2"), FAILS("2"), CALL("3"), FAILS("3"));
	CHECK(!t.call[0].is_unresolved && !t.call[1].is_unresolved && t.call[2].is_unresolved);
	CHECK(t.group[0].unresolved == 0 && t.group[2].unresolved == 1);
	/* In one message, in whatever order the results come. */
	HOLD(USER, "{'role':'assistant','tool_calls':[{'id':'1'},{'id':'2'}]}", FAILS("2"),
	    FAILS("1"));
	CHECK(!t.call[0].is_unresolved && t.call[1].is_unresolved);
	CHECK(t.group[0].unresolved == 1 && t.group[0].resolvable == 1);
	/* Without a result it failed as well; while the execution runs, it has not. */
	RESOLVED(CALL("c"), FAILS("c"), CALL("d"), USER);
	UNRESOLVED(CALL("c"), FAILS("c"), CALL("d"));
	/* What is said of a failure goes before what is derived. */
	UNRESOLVED(CALL("c"), SAID("'resolved':false"), CALL("d"), FAILS("d"));
	RESOLVED(CALL("c"), FAILS("c"), CALL("d"),
	    "{'role':'tool','tool_call_id':'d','metadata':{'is_error':true,'resolved':true}}");
	RESOLVED(CALL("c"), FAILS("c"),
	    "{'role':'assistant','tool_calls':[{'id':'d','function':{'name':'f'}}],'metadata':{"
	    "'resolved':['d']}}",
	    USER);
	/* The id of the earlier one resolves nothing of the later one. */
	HOLD(USER, CALL("1"), FAILS("1"), CALL("2"), FAILS("2"),
	    "{'role':'user','metadata':{'resolves':'1'}}");
	CHECK(!t.call[0].is_unresolved && t.call[1].is_unresolved);
	/* Others than the first do not count: they are other calls. */
	UNRESOLVED(READ("c", "a"), FAILS("c"), READ("d", "b"), FAILS("d"));
	/* Arguments of one of the two were shortened. */
	RESOLVED(CALL("c"), FAILS("c"), NOTED("d"), FAILS("d"));
	RESOLVED(CALL("c"), FAILS("c"), NOTED("d"), GETS("d"));
	RESOLVED(NOTED("d"), FAILS("d"), CALL("c"), FAILS("c"));
	RESOLVED(NOTED("d"), FAILS("d"), CALL("c"), GETS("c"));
}

static void
test_failed_again(void)
{
	HOLD(USER, CALL("1"), FAILS("1"), CALL("2"), FAILS("2"), CALL("3"), FAILS("3"));
	CHECK(session_failed_again(&t, &t.group[0]) && session_failed_again(&t, &t.group[1]));
	CHECK(!session_failed_again(&t, &t.group[2]));
	/* A success between them parts the failures. */
	HOLD(USER, CALL("1"), FAILS("1"), CALL("2"), GETS("2"), CALL("3"), FAILS("3"));
	CHECK(!session_failed_again(&t, &t.group[0]) && !session_failed_again(&t, &t.group[2]));
	/* The result of the first comes last. */
	HOLD(USER, CALL("1"), USER, CALL("2"), FAILS("2"), USER, FAILS("1"));
	CHECK(session_failed_again(&t, &t.group[0]) && !session_failed_again(&t, &t.group[1]));
	HOLD(USER, CALL("1"), USER, CALL("2"), FAILS("2"), USER, GETS("1"));
	CHECK(!session_failed_again(&t, &t.group[0]) && !session_failed_again(&t, &t.group[1]));
}

static void
test_late(void)
{
	/* When the second execution begins, c has no result: that failure goes when the result comes. */
	RESOLVED(CALL("c"), USER, GETS("c"));
	UNRESOLVED(CALL("c"), USER, FAILS("c"));
	UNRESOLVED(CALL("c"), USER, CALL("d"), GETS("d"), FAILS("c"), USER);
	RESOLVED(CALL("c"), USER, FAILS("c"), CALL("d"), GETS("d"), USER);
	UNRESOLVED(CALL("c"), USER, SAID("'resolved':false"), CALL("d"), GETS("d"), USER);
	CHECK(t.call[1].failure == NONE);
	HOLD(USER, CALL("c"), CALL("d"), USER, CALL("e"), FAILS("d"), FAILS("c"), GETS("e"));
	CHECK(t.group[0].unresolved + t.group[1].unresolved + t.group[2].unresolved == 0);
}

static void
test_locks(void)
{
	static const char *const text[] = {USER, CALL("a"), FAILS("a"),
	    "{'role':'assistant','tool_calls':[{'id':'b'}],'metadata':{'pinned':true}}", CALL("c"),
	    "{bad", USER, CALL("d"), GETS("d"), READ("e", "p"), NULL};
	uint32_t at = 0;

	hold(CURRENT_NONE, "", text);
	CHECK(session_group_lock(&t, &t.group[0]) == LOCK_NONE); /* d is the same, and succeeds */
	CHECK(session_group_lock(&t, &t.group[1]) == LOCK_PINNED);
	CHECK(session_group_lock(&t, &t.group[2]) == LOCK_FROZEN);
	CHECK(session_group_lock(&t, &t.group[3]) == LOCK_NONE);
	CHECK(session_group_lock(&t, &t.group[4]) == LOCK_OPEN && session_is_open(&t, &t.group[4]));
	CHECK(
	    session_member(&t, &t.group[0], &at) == 1 && session_member(&t, &t.group[0], &at) == 2);
	CHECK(session_member(&t, &t.group[0], &at) == NONE);
	at = 1;
	CHECK(session_member(&t, &t.group[4], &at) == NONE);
	CHECK(session_head(&t, &t.entry[2]) == &t.entry[1]);
	CHECK(session_head(&t, &t.entry[0]) == &t.entry[0]);
	HOLD(USER, CALL("c"), USER);
	CHECK(session_group_lock(&t, &t.group[0]) == LOCK_UNRESOLVED);
	HOLD(USER, "{'role':'assistant','tool_calls':[{'id':'a'},{'id':'b'},{'id':'c'}]}",
	    GETS("c"), GETS("a"));
	at = 1;
	CHECK(
	    session_member(&t, &t.group[0], &at) == 3 && session_member(&t, &t.group[0], &at) == 2);
	CHECK(session_member(&t, &t.group[0], &at) == NONE);
}

static void
test_sections(void)
{
	HOLD(USER,
	    "{'role':'assistant','tool_calls':[{'id':'a'}],'metadata':{'section':'b\\u0075f'}}",
	    "{'role':'tool','tool_call_id':'a','metadata':{'section':'x'}}",
	    "{'role':'user','metadata':{'kind':'summary'}}",
	    "{'role':'user','_metadata':{'section':'s'}}");
	CHECK_STR(session_section(&t, &t.entry[0]), "messages");
	CHECK_STR(session_section(&t, &t.entry[2]), "buf");
	CHECK_STR(session_section(&t, &t.entry[1]), "buf");
	CHECK_STR(session_section(&t, &t.entry[3]), "summary");
	CHECK_STR(session_section(&t, &t.entry[4]), "s");
}

/* Records that are added stand in the order of the stream, whatever the order of the changes. */
static void
check_added(void)
{
	static const struct change_rule rule = {.name = STR_INIT("r")};
	static const uint32_t at[] = {2, 0, 2, 1};
	uint32_t mark = change_mark(&t), next = 0;

	for (size_t i = 0; i < sizeof at / sizeof at[0]; i++)
		change_add(&t, at[i], &rule, str_of(&"abcd"[i], 1));
	CHECK(change_added(&t, 0)->entry == 0 && change_added(&t, 1)->entry == 1);
	CHECK(change_next_added(&t, 0, &next)->raw[0] == 'b');
	CHECK(change_next_added(&t, 0, &next) == NULL);
	CHECK(change_next_added(&t, 1, &next)->raw[0] == 'd');
	CHECK(change_next_added(&t, 2, &next)->raw[0] == 'a');
	CHECK(change_next_added(&t, 2, &next)->raw[0] == 'c');
	CHECK(change_next_added(&t, 2, &next) == NULL);
	change_undo(&t, mark + 2);
	CHECK(t.added_count == 2 && change_added(&t, 0)->raw[0] == 'b');
	CHECK(change_added(&t, 1)->raw[0] == 'a');
	change_undo(&t, mark);
	CHECK(t.added_count == 0);
}

static void
test_changes(void)
{
	static const struct change_rule rule = {.name = STR_INIT("r")};
	struct message message;
	struct entry was;
	uint32_t mark;

	HOLD(USER, SAYS);
	t.entry[1].tokens = 9;
	t.entry[1].least = 8;
	CHECK(change_of(&t, 1) == NULL && change_mark(&t) == 0);
	CHECK_STR(entry_text(&t.entry[1]), "{\"role\":\"assistant\",\"content\":\"x\"}");
	change_text(&t, 1, &rule, STR("{\"role\":\"user\"}"));
	CHECK(t.entry[1].is_changed && t.entry[1].tokens == 0 && t.entry[1].least == 0);
	CHECK(change_of(&t, 1)->rule == &rule && change_of(&t, 1)->kind == CHANGE_TEXT);
	CHECK_STR(str_of(t.entry[1].raw, t.entry[1].len), "{\"role\":\"user\"}\r\n");
	entry_parse(&t.entry[1], &message);
	CHECK(message.role == ROLE_USER);
	t.entry[1].is_compacted = true;
	mark = change_mark(&t);
	change_drop(&t, 1, &rule);
	change_add(&t, 2, &rule, STR("{}"));
	CHECK(t.entry[1].is_dropped && change_of(&t, 1)->kind == CHANGE_DROP);
	CHECK(t.added_count == 1 && change_added(&t, 0)->entry == 2);
	was = change_original(&t, 1);
	CHECK_STR(entry_text(&was), "{\"role\":\"assistant\",\"content\":\"x\"}");
	CHECK(was.tokens == 9 && was.least == 8);
	change_undo(&t, mark);
	CHECK(!t.entry[1].is_dropped && t.entry[1].is_changed && t.entry[1].is_compacted);
	CHECK(t.added_count == 0);
	check_added();
	change_undo(&t, 0);
	CHECK(!t.entry[1].is_changed && !t.entry[1].is_compacted && change_of(&t, 1) == NULL);
	CHECK(t.entry[1].tokens == 9 && t.entry[1].least == 8);
	CHECK_STR(entry_text(&t.entry[1]), "{\"role\":\"assistant\",\"content\":\"x\"}");
}

static bool
is_value(struct json_value a, struct json_value b)
{
	return a.type == b.type &&
	    (a.type == JSON_ABSENT || (a.ptr == b.ptr && a.len == b.len && a.escaped == b.escaped));
}

/* An entry that is parsed again is what is in its text, and so are its texts. */
static void
check_parsed(uint32_t index)
{
	const struct entry *entry = &t.entry[index];
	struct message whole, parsed, texts;

	message_parse(&whole, entry_text(entry));
	entry_parse(entry, &parsed);
	entry_parse_texts(entry, &texts);
	CHECK(is_value(parsed.content, whole.content) && is_value(texts.content, whole.content));
	CHECK(is_value(parsed.tool_calls, whole.tool_calls));
	CHECK(is_value(texts.tool_calls, whole.tool_calls));
	CHECK(is_value(parsed.metadata, whole.metadata));
	CHECK(is_value(texts.result_text, whole.result_text));
	CHECK(is_value(parsed.meta[METADATA_ID], whole.meta[METADATA_ID]));
	CHECK(message_has_calls(&parsed) == message_has_calls(&whole));
	CHECK(message_has_calls(&texts) == message_has_calls(&whole));
	CHECK(parsed.role == whole.role && texts.role == whole.role);
}

#define LONG "a text of more than sixteen bytes"

static void
test_known(void)
{
	static const struct change_rule rule = {
	    STR_INIT("n"), STR_INIT("r"), STR_INIT("b"), STR_INIT("")};

	HOLD(USER, "{'role':'user','content':'" LONG "','metadata':{'id':'m1','x':['" LONG "']}}",
	    "{ 'metadata' : {'id':'m2'} , 'content' : '\\n" LONG "' , 'role' : 'user' }",
	    "{'role':'user','content':[{'type':'text','text':'" LONG "'}]}", CALL("c"), GETS("c"),
	    "{'role':'assistant','content':7,'_metadata':{'id':'m3'}}",
	    "{'role':'assistant','content':'','metadata':{'tool_calls':[{'id':'d','name':'f',"
	    "'arguments':{}}]}}",
	    "{'role':'tool','content':'','metadata':{'tool_result':{'call_id':'d','content':'" LONG
	    "'}}}",
	    "{'type':'x'}", "{'role':'user','content':'" LONG "'}");
	for (uint32_t i = 0; i < t.count; i++)
		check_parsed(i);
	change_text(
	    &t, t.count - 1, &rule, STR("{\"role\":\"user\",\"content\":\"" LONG LONG "\"}"));
	check_parsed(t.count - 1);
	change_undo(&t, 0);
	check_parsed(t.count - 1);
}

int
main(void)
{
	message_init();
	session_init(&t);
	test_finals();
	test_current();
	test_groups();
	test_frozen();
	test_unresolved();
	test_kinds();
	test_no_match();
	test_ends();
	test_hidden_ends();
	test_retried();
	test_said();
	test_failed_again();
	test_late();
	test_locks();
	test_sections();
	test_changes();
	test_known();
	session_free(&t);
	arena_free(&padded_arena);
	return unit_end();
}
