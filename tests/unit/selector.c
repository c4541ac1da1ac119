/* The selector language, and what is selected by what messages say themselves. */

#include "data/select/selector.h"

#include "data/session/session_builder.h"
#include "json_padded.h"
#include "unit.h"

static struct session t;

/* Adds a message; its JSON is written with ' for ". */
static void
add(const char *text)
{
	struct str copy = quoted(text);
	struct line line = {.number = 1, .raw = copy, .text = copy};
	struct message message;

	message_parse(&message, copy);
	session_add(&t, &line, &message);
}

static void
check_bad(const char *text, const char *expected)
{
	struct selector_error error = {BUF_INIT, 0};
	struct selector *selector = selector_parse(text, &error);

	if (!CHECK(selector == NULL))
		printf("    of '%s'\n", text);
	CHECK_STR(error.message, expected);
	selector_free(selector);
	buf_free(&error.message);
}

/* Whether a selector that needs no session selects the message of the entry. */
static bool
matches_message(const struct selector *selector, const struct entry *entry)
{
	struct message message;

	entry_parse(entry, &message);
	return selector_matches_message(selector, &message);
}

/* The entries that are selected, as a row of 0 and 1. */
static void
check_selects(const char *text, const char *expected)
{
	struct selector_error error = {BUF_INIT, 0};
	struct selector *selector = selector_parse(text, &error);
	char row[64] = {0};

	if (CHECK(selector != NULL)) {
		for (uint32_t i = 0; i < t.count; i++) {
			row[i] = selector_matches(selector, &t, &t.entry[i]) ? '1' : '0';
			CHECK(selector_needs_session(selector) ||
			    matches_message(selector, &t.entry[i]) == (row[i] == '1'));
		}
		if (!CHECK(strcmp(row, expected) == 0))
			printf("    %s of '%s'\n", row, text);
	}
	selector_free(selector);
	buf_free(&error.message);
}

static void
check_needs(const char *text, bool expected)
{
	struct selector_error error = {BUF_INIT, 0};
	struct selector *selector = selector_parse(text, &error);

	if (!CHECK(selector != NULL && selector_needs_session(selector) == expected))
		printf("    of '%s'\n", text);
	selector_free(selector);
	buf_free(&error.message);
}

static void
test_bad(void)
{
	check_bad("", "unknown term '', expected one such as role=user, error or turn=-1");
	check_bad("!", "unknown term '', expected one such as role=user, error or turn=-1");
	check_bad("role", "expected '=' and a value after 'role'");
	check_bad("Role=user", "unknown term 'Role=user', did you mean 'role'?");
	check_bad("rolex=user", "unknown term 'rolex=user', did you mean 'role'?");
	check_bad("role<user", "expected '=' and a value after 'role'");
	check_bad(
	    "role=user,", "unknown term '', expected one such as role=user, error or turn=-1");
	check_bad("role=user,,pinned",
	    "unknown term '', expected one such as role=user, error or turn=-1");
	check_bad("pinned=1", "'pinned' takes no value");
	check_bad("pinned ,trace", "unknown term 'pinned ', did you mean 'pinned'?");
	check_bad("tokens", "expected '<', '=' or '>' and a value after 'tokens'");
	check_bad("tokens>", "expected a number in 'tokens>'");
	check_bad("tokens>1.5", "expected a number in 'tokens>1.5'");
	check_bad("bytes>-8", "expected a number in 'bytes>-8'");
	check_bad("turn>--1", "expected a number in 'turn>--1'");
	check_bad("meta=1", "unknown term 'meta=1', did you mean 'meta.'?");
	check_bad(
	    "meta.=1", "unknown term 'meta.=1', expected one such as role=user, error or turn=-1");
	check_bad("meta.a>1", "expected '=' and a value after 'meta.'");
	check_bad("arg", "expected '~' and a value after 'arg'");
	check_bad("path~a", "expected '=' and a value after 'path'");
	check_bad("text=a", "expected '~' and a value after 'text'");
}

/* Checks the place of the fault. */
static void
check_at(const char *text, size_t expected)
{
	struct selector_error error = {BUF_INIT, 0};

	CHECK(selector_parse(text, &error) == NULL);
	CHECK(error.at == expected);
	buf_free(&error.message);
}

static void
test_places(void)
{
	check_at("rol=user", 0);
	check_at("!rol=user", 1);
	check_at("trace,!rol=user", 7);
	check_at("trace,", 6);
	check_at("trace,role", 10);
	check_at("pinned=1", 6);
	check_at("trace,turn>x", 11);
	check_at("trace,!text~a(", 12);
}

/* For each message one of 0, 1 and ?: not, yes, not known yet. */
static void
check_known(const char *text, const char *expected)
{
	struct selector_error error = {BUF_INIT, 0};
	struct selector *selector = selector_parse(text, &error);
	char row[64] = {0};

	for (uint32_t i = 0; i < t.count; i++)
		row[i] = "01?"[selector_ask(selector, &t, &t.entry[i])];
	if (!CHECK(strcmp(row, expected) == 0))
		printf("    %s of '%s'\n", row, text);
	selector_free(selector);
	buf_free(&error.message);
}

/* What is known of messages while the stream still comes. */
static void
test_known(void)
{
	struct session held = t;

	session_init(&t);
	add("{'role':'user','content':'One'}");
	add("{'role':'assistant','tool_calls':[{'id':'a','name':'read'}]}");
	add("{'role':'tool','tool_call_id':'a','content':'x','metadata':{'is_error':true}}");
	add("{'role':'assistant','content':'No.'}");
	add("{'role':'user','content':'Two'}");
	add("{'role':'assistant','content':'Yes.'}");
	check_known("role=user", "100010");
	check_known("trace", "011000");
	check_known("turn=1", "111100");
	check_known("turn=-1", "0000??");
	check_known("turn>-2", "0000??");
	check_known("turn>-1", "000000");
	check_known("turn<-1", "1111??");
	check_known("!turn<-1", "0000??");
	check_known("execution=last", "0000??");
	check_known("final", "00010?");
	check_known("!final", "11101?");
	check_known("unresolved", "0??000");
	check_known("unresolved,role=user", "000000");
	check_known("turn=-1,final", "00000?");
	session_end(&t);
	check_known("turn>-2", "000011");
	check_known("final", "000101");
	check_known("unresolved", "011000");
	session_free(&t);
	t = held;
}

static void
test_messages(void)
{
	check_selects("role=user", "1001");
	check_selects("!role=user", "0110");
	check_selects("role=user,!pinned", "1000");
	check_selects("origin=tool_call", "0100");
	check_selects("tool=re?d", "0110");
	check_selects("tool=[a-q]*", "0000");
	check_selects("kind=note", "0001");
	check_selects("id=c1", "0010");
	check_selects("id=m4", "0001");
	check_selects("agent=a,session=s", "0001");
	check_selects("trace", "0110");
	check_selects("error", "0010");
	check_selects("compacted", "0010");
	check_selects("meta.n=7", "0001");
	check_selects("meta.n=07", "0000");
	check_selects("meta.list=[1]", "0001");
	check_selects("meta.t=\xc3\xa9", "0001");
	check_selects("text~^One$", "1000");
	check_selects("text~two,|x", "0010");
	check_selects("!text~o", "1100");
	check_selects("turn>1", "0001");
	check_selects("turn=-2", "1110");
	check_selects("bytes<40", "1000");
}

/* Which terms look at more than the message; one of them is enough. */
static void
test_needs(void)
{
	static const char *const messages[] = {"role=user", "kind=note", "session=s", "agent=a",
	    "id=c1", "pinned", "compacted", "meta.n=7", "text~x", "role=user,!pinned"};
	static const char *const sessions[] = {"origin=user", "tool=*", "section=messages",
	    "execution=last", "target=*", "path=*", "arg~x", "trace", "error", "unresolved",
	    "final", "tokens>1", "bytes>1", "turn>1", "pinned,trace", "!final,pinned"};

	for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++)
		check_needs(messages[i], false);
	for (size_t i = 0; i < sizeof sessions / sizeof sessions[0]; i++)
		check_needs(sessions[i], true);
}

/* 4096 terms, of which the last one decides. */
static void
test_many(void)
{
	struct buf text = BUF_INIT;

	for (int i = 0; i < 4095; i++)
		buf_add_str(&text, STR("trace,"));
	buf_add_str(&text, STR("!error"));
	buf_add_char(&text, '\0');
	check_selects(text.ptr, "0100");
	buf_free(&text);
}

/* Names are matched whole, however long they are. */
static void
test_names(void)
{
	struct session held = t;

	session_init(&t);
#define SIXTEEN "abcdefghijklmnop"
#define LONG SIXTEEN SIXTEEN SIXTEEN SIXTEEN
	add("{'role':'assistant','tool_calls':[{'id':'a','name':'" LONG "'}]}");
	add("{'role':'assistant','tool_calls':[{'id':'b','name':'" LONG "q'}]}");
	add("{'role':'assistant','tool_calls':[{'id':'b','name':'" LONG LONG "'}]}");
	add("{'role':'assistant','tool_calls':[{'id':'b','name':'r\\u0000m'}]}");
	session_end(&t);
	check_selects("tool=" LONG, "1000");
	check_selects("tool=" LONG "q", "0100");
	check_selects("tool=" LONG "*p", "0010");
	check_selects("tool=*q", "0100");
	check_selects("tool=r", "0000");
	check_selects("tool=r?m", "0001");
	session_free(&t);
	t = held;
}

/* A message of another agent is in no turn. */
static void
test_outside(void)
{
	struct session held = t;

	session_init(&t);
	add("{'role':'user'}");
	add("{'role':'assistant','content':'x','metadata':{'agent_id':'b','parent_execution_id':'e'"
	    "}}");
	session_end(&t);
	check_selects("turn>0", "10");
	check_selects("turn<9", "10");
	check_selects("!turn=1", "01");
	session_free(&t);
	t = held;
}

static void
test_tokens(void)
{
	t.entry[1].tokens = 2000;
	t.entry[2].tokens = 2001;
	check_selects("tokens>2k", "0010");
	check_selects("tokens=2k", "0100");
	check_selects("tokens<1", "1001");
}

int
main(void)
{
	message_init();
	session_init(&t);
	add("{'role':'user','content':'One'}");
	add("{'role':'assistant','content':null,"
	    "'tool_calls':[{'id':'c1','function':{'name':'read'}}]}");
	add("{'role':'tool','tool_call_id':'c1',"
	    "'content':[{'type':'text','text':'so'},{'text':'two, x'}],"
	    "'metadata':{'is_error':true,'compacted':true}}");
	add("{'role':'user','content':'no','metadata':{'pinned':true,'kind':'note','id':'m4','n':7,"
	    "'t':'\\u00e9','list':[1],'agent_id':'a','session_id':'s'}}");
	session_end(&t);
	test_bad();
	test_places();
	test_known();
	test_messages();
	test_needs();
	test_tokens();
	test_many();
	test_names();
	test_outside();
	session_free(&t);
	arena_free(&padded_arena);
	return unit_end();
}
