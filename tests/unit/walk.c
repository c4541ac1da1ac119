/* The ordered walk: executions, turns, origins, and which result answers which call. */

#include "data/walk.h"

#include "json_padded.h"
#include "unit.h"

static struct walk walk;

/* Adds a message; its JSON is written with ' for ". */
static struct verdict
add(const char *text)
{
	struct str line = quoted(text);
	struct message message;
	struct verdict verdict;

	message_parse(&message, line);
	CHECK(message.kind == RECORD_MESSAGE);
	walk_add(&walk, &message, &verdict);
	return verdict;
}

static void
restart(void)
{
	walk_free(&walk);
	walk_init(&walk);
}

#define USER "{'role':'user'}"
#define SAYS "{'role':'assistant','content':'x'}"
#define CALL(id) "{'role':'assistant','tool_calls':[{'id':'" id "'}]}"
#define GETS(id) "{'role':'tool','tool_call_id':'" id "'}"

static void
test_executions(void)
{
	restart();
	CHECK(add(SAYS).execution == 0);
	CHECK_STR(walk_execution_id(&walk), "#0");
	CHECK(add(USER).execution == 1);
	CHECK_STR(walk_execution_id(&walk), "#1");
	CHECK(add(SAYS).execution == 1);
	CHECK(add("{'role':'user','metadata':{'origin':'injected'}}").execution == 1);
	CHECK(add("{'role':'user','metadata':{'execution_id':'e\\u0031'}}").execution == 2);
	CHECK_STR(walk_execution_id(&walk), "e1");
	CHECK(!add("{'role':'user','metadata':{'execution_id':'e1'}}").execution_began);
	CHECK(add("{'role':'assistant','metadata':{'execution_id':'e2'}}").execution_began);
	CHECK(add(USER).execution_began);
	CHECK_STR(walk_execution_id(&walk), "#2");
	CHECK(add("{'role':'assistant','metadata':{'execution_id':'e1'}}").execution == 5);
	CHECK(add("{'role':'assistant','metadata':{'execution_id':'#41'}}").execution == 6);
	CHECK(add(USER).execution == 7);
	CHECK_STR(walk_execution_id(&walk), "#42");
	CHECK(add("{'role':'assistant','metadata':{'execution_id':'#7'}}").execution == 8);
	CHECK(add("{'role':'assistant','metadata':{'execution_id':'#x'}}").execution == 9);
	CHECK(
	    add("{'role':'assistant','metadata':{'execution_id':'#99999999999'}}").execution == 10);
	CHECK(add("{'role':'assistant','metadata':{'execution_id':7}}").execution == 10);
	CHECK(add(USER).execution == 11);
	CHECK_STR(walk_execution_id(&walk), "#43");
	CHECK(add("{'role':'assistant','metadata':{'execution_id':'#999999999'}}").execution == 12);
	CHECK(add(USER).execution == 13);
	CHECK_STR(walk_execution_id(&walk), "#1000000000");
}

static void
test_steering(void)
{
	struct verdict verdict;

	restart();
	add(USER);
	CHECK(!add(USER).steers);
	CHECK_STR(walk_execution_id(&walk), "#2");
	add(CALL("c1"));
	add(GETS("c1"));
	verdict = add(USER);
	CHECK(verdict.steers && !verdict.execution_began && verdict.execution == 1);
	CHECK(verdict.turn == 3);
	CHECK(add(USER).execution_began); /* the last message is no result any more */
	add(CALL("c1"));
	add(CALL("c2"));
	add(GETS("c2"));
	CHECK(add(USER).steers); /* the newest group is whole */
	verdict = add(GETS("c1"));
	CHECK(verdict.is_displaced && !verdict.is_late);
	CHECK(add(USER).execution_began); /* a displaced result changes nothing */
	add("{'role':'tool','tool_call_id':'c9'}");
	CHECK(add(USER).execution_began); /* nor does one of no call */
	add(CALL("c3"));
	add(CALL("c4"));
	add(GETS("c4"));
	CHECK(add(GETS("c3")).is_displaced);
	CHECK(add(USER).steers); /* as it does when c3's result has moved to its call */
	add("{'role':'assistant','tool_calls':[{'id':'c3'},{'id':'c4'}]}");
	CHECK(!add(GETS("c4")).is_displaced);
	add("{'role':'tool','tool_call_id':'c9'}");
	CHECK(add(GETS("c3")).is_displaced);
	CHECK(add(USER).execution_began); /* what answers no call stands between */
	restart();
	walk.steering = WALK_STEERING_NEW;
	add(USER);
	add(CALL("c1"));
	add(GETS("c1"));
	verdict = add(USER);
	CHECK(!verdict.steers && verdict.execution_began && verdict.execution == 1);
	add(CALL("c5"));
	add(CALL("c6"));
	CHECK(!add("{'role':'tool','tool_call_id':'c5','metadata':{'execution_id':'e'}}")
		   .execution_began);
	verdict = add(USER);
	CHECK(verdict.execution_began);
	verdict = add(GETS("c6"));
	CHECK(verdict.is_late && !verdict.execution_began);
}

static void
test_turns(void)
{
	restart();
	CHECK(add("{'role':'system'}").turn == 0);
	CHECK(add(USER).turn == 1);
	CHECK(add("{'role':'user','metadata':{'origin':'injected'}}").turn == 1);
	CHECK(add("{'role':'user','metadata':{'kind':'summary'}}").turn == 1);
	CHECK(add(SAYS).turn == 1);
	CHECK(add("{'role':'system','metadata':{'origin':'user'}}").turn == 2);
}

static void
test_origins(void)
{
	restart();
	CHECK(add("{'role':'system'}").origin == ORIGIN_SYSTEM);
	CHECK(add("{'role':'developer'}").origin == ORIGIN_SYSTEM);
	CHECK(add("{'role':'narrator'}").origin == ORIGIN_SYSTEM);
	CHECK(add(USER).origin == ORIGIN_USER);
	CHECK(add(SAYS).origin == ORIGIN_ASSISTANT);
	CHECK(add(CALL("c1")).origin == ORIGIN_TOOL_CALL);
	CHECK(add(GETS("c1")).origin == ORIGIN_TOOL_RESULT);
	CHECK(add("{'role':'user','metadata':{'kind':'summary'}}").origin == ORIGIN_SUMMARY);
	CHECK(add("{'role':'tool','metadata':{'origin':'error'}}").origin == ORIGIN_ERROR);
	CHECK(add("{'role':'assistant','_metadata':{'origin':'user'}}").origin == ORIGIN_USER);
	CHECK(
	    add("{'role':'assistant','metadata':{'origin':'nobody'}}").origin == ORIGIN_ASSISTANT);
	CHECK(!add("{'role':'assistant','tool_calls':[]}").has_calls);
	CHECK(!add("{'role':'user','tool_calls':[{'id':'c1'}]}").has_calls);
}

static void
test_trace(void)
{
	restart();
	CHECK(!add(USER).is_trace);
	CHECK(!add(SAYS).is_trace);
	CHECK(add(CALL("c1")).is_trace);
	CHECK(add(GETS("c1")).is_trace);
	CHECK(add("{'role':'user','metadata':{'is_trace':true}}").is_trace);
	CHECK(!add("{'role':'tool','metadata':{'is_trace':false}}").is_trace);
	CHECK(add("{'role':'tool','metadata':{'is_trace':null}}").is_trace);
	CHECK(add("{'role':'assistant','metadata':{'tool_calls':[{'id':'c1'}]}}").is_trace);
	add("{'role':'assistant','tool_calls':[{'id':'c2'}],'metadata':{'is_trace':false}}");
	CHECK(!add("{'role':'tool','tool_call_id':'c2'}").is_trace); /* a group has its call's */
	CHECK(add("{'role':'tool','tool_call_id':'c1','metadata':{'is_trace':false}}").is_trace);
}

/* A row of letters, one a message: an answer (a), an error message (e), - for neither; then what it
 * makes of those before it: F and G for an answer that is final or gone, f and g for an error. */
static void
check_fates(const char *expected, const char *const *text)
{
	static const char answers[] = {[FATE_OPEN] = 0, [FATE_FINAL] = 'F', [FATE_GONE] = 'G'};
	static const char errors[] = {[FATE_OPEN] = 0, [FATE_FINAL] = 'f', [FATE_GONE] = 'g'};
	struct buf row = BUF_INIT;
	enum fate answer, error;
	bool is_over;

	restart();
	for (; *text != NULL; text++) {
		struct verdict verdict = add(*text);

		buf_add_char(&row, verdict.is_answer ? 'a' : verdict.is_error_message ? 'e' : '-');
		if (verdict.answer != FATE_OPEN)
			buf_add_char(&row, answers[verdict.answer]);
		if (verdict.error != FATE_OPEN)
			buf_add_char(&row, errors[verdict.error]);
	}
	is_over = walk_end(&walk, &answer, &error);
	buf_add_char(&row, is_over ? '.' : '?');
	if (answer != FATE_OPEN)
		buf_add_char(&row, answers[answer]);
	if (error != FATE_OPEN)
		buf_add_char(&row, errors[error]);
	CHECK_STR(buf_str(&row), expected);
	buf_free(&row);
}

#define FATES(expected, ...) check_fates(expected, (const char *const[]){__VA_ARGS__, NULL})
#define ERROR "{'role':'assistant','content':'e','metadata':{'origin':'error'}}"

static void
test_fates(void)
{
	FATES("-?", USER);
	FATES("-a.F", USER, SAYS);
	FATES("-aaG.F", USER, SAYS, SAYS);
	FATES("-a-F?", USER, SAYS, USER);
	FATES("-a-G-?", USER, SAYS, CALL("c"), GETS("c"));
	FATES("-a-G-a.F", USER, SAYS, CALL("c"), GETS("c"), SAYS);
	FATES("-a-.F", USER, SAYS, "{'role':'assistant','content':' '}");
	FATES(
	    "-a-G?", USER, SAYS, "{'role':'assistant','content':'x','metadata':{'is_trace':true}}");
	FATES("-a-.F", USER, SAYS,
	    "{'role':'assistant','content':'x','metadata':{'kind':'summary'}}");
	FATES("--e?f", USER, CALL("c"), ERROR); /* the execution is not over */
	FATES("-eeg?f", USER, ERROR, ERROR);
	FATES("-ea.Fg", USER, ERROR, SAYS);
	FATES("-ae.Fg", USER, SAYS, ERROR);
	FATES("-eeg-f?", USER, ERROR, ERROR, USER);
	FATES("-ea-Fg?", USER, ERROR, SAYS, USER);
	FATES("-ae-Fg?", USER, SAYS, ERROR, USER);
	FATES("--a-.F", USER, CALL("c"), SAYS, GETS("c")); /* a displaced result changes nothing */
	FATES("--a-G?", USER, CALL("c"), SAYS, GETS("d"));
	FATES("-?", "{'role':'assistant','content':'x','metadata':{'origin':'user'}}");
}

static void
test_pairs(void)
{
	struct verdict verdict;

	restart();
	add(CALL("c1")); /* group 0, call 0 */
	add(CALL("c1")); /* group 1, call 1 */
	CHECK(add(GETS("c1")).answers == 1);
	CHECK(add(GETS("c1")).answers == 0);
	verdict = add(GETS("c1"));
	CHECK(verdict.answers == WALK_NONE && verdict.group == WALK_NONE);
	verdict = add("{'role':'assistant','tool_calls':[{'id':'a'},{'id':'b'},{'id':'a'}]}");
	CHECK(verdict.group == 2 && verdict.first_call == 2 && verdict.calls == 3);
	verdict = add(GETS("a"));
	CHECK(verdict.answers == 4 && verdict.group == 2);
	CHECK(add(GETS("a")).answers == 2);
	CHECK(add("{'role':'tool','tool_call_id':'\\u0062'}").answers == 3);
	add("{'role':'assistant','tool_calls':[{'function':{'name':'f'}}]}"); /* call 5, no id */
	CHECK(add("{'role':'tool'}").answers == 5);
	CHECK(add("{'role':'user','tool_call_id':'c1'}").answers == WALK_NONE);
}

static void
test_notes(void)
{
	restart();
	add("{'role':'assistant','tool_calls':[{'id':'a'},{'id':'b'}]}");
	walk_note(&walk, 1, 7);
	CHECK(add(GETS("b")).note == 7);
	CHECK(add(GETS("a")).note == 0);
	add(CALL("b"));
	CHECK(add(GETS("b")).note == 0); /* a slot that is used again has no note */
}

/* More open calls than few: a slot that was used again has a newer call than slots behind it. */
static void
test_few(void)
{
	restart();
	add(CALL("x"));
	add(CALL("b"));
	add(CALL("a"));
	add(CALL("b"));
	CHECK(add(GETS("x")).answers == 0);
	add(CALL("a")); /* call 4, in the slot of x */
	CHECK(walk.open.used == 4 && walk.open.by_id.cap == 0);
	CHECK(add(GETS("b")).answers == 3);
	add(CALL("b"));
	add("{'role':'assistant','tool_calls':[{'id':'c'},{'id':'a'}]}");
	walk_note(&walk, 1, 7);
	CHECK(walk.open.used > 4 && walk.open.by_id.count == 3);
	CHECK(add(GETS("a")).note == 7);
	CHECK(add(GETS("a")).answers == 4);
	CHECK(add(GETS("a")).answers == 2);
	CHECK(add(GETS("b")).answers == 5);
	CHECK(add(GETS("b")).answers == 1);
	CHECK(add(GETS("c")).answers == 6);
	CHECK(walk.open.by_id.count == 0);
}

/* As many equal ids as there are calls: each takes its own, from the newest to the oldest. */
static void
test_many(void)
{
	unsigned wrong = 0;

	restart();
	for (unsigned i = 0; i < 1000; i++)
		add(CALL("c1"));
	for (unsigned i = 1000; i-- > 0;)
		wrong += add(GETS("c1")).answers != i;
	CHECK(wrong == 0);
	CHECK(walk.open.by_id.count == 0);
	CHECK(walk.open.used == 1000);
	for (unsigned i = 0; i < 1000; i++)
		add(CALL("c1"));
	CHECK(walk.open.used == 1000); /* slots are used again */
}

#define CHILD "'metadata':{'parent_execution_id':'e1','agent_id':'a'}"

static void
test_agents(void)
{
	struct verdict verdict;

	restart();
	add(USER);
	add(CALL("c1"));
	verdict = add("{'role':'user'," CHILD "}");
	CHECK(verdict.outside && verdict.execution == WALK_NONE && verdict.turn == WALK_NONE);
	CHECK(add("{'role':'tool','tool_call_id':'c1'," CHILD "}").answers == WALK_NONE);
	verdict = add("{'role':'assistant','tool_calls':[{'id':'c1'}]," CHILD "}");
	CHECK(verdict.outside && verdict.group == 1);
	CHECK(add(GETS("c1")).answers == 0);
	CHECK(add("{'role':'tool','tool_call_id':'c1'," CHILD "}").answers == 1);
	CHECK(add(USER).steers); /* the child's calls and results are none of the parent's */
	restart();
	CHECK(!add("{'role':'user'," CHILD "}").outside);
	CHECK(add(USER).outside);
	CHECK(add("{'role':'user','metadata':{'parent_execution_id':'e1'}}").outside);
	restart();
	walk_set_agent(&walk, STR("e1"));
	CHECK(add("{'role':'user'," CHILD "}").outside);
	CHECK(!add("{'role':'user','metadata':{'parent_execution_id':'e1'}}").outside);
	CHECK(add("{'role':'user','metadata':{'agent_id':'e1'}}").outside);
}

/* Messages of an execution, marked as trace. */
#define TASK(id) "{'role':'user','metadata':{'execution_id':'" id "','is_trace':true}}"
#define CALL_OF(id, call) \
	"{'role':'assistant','tool_calls':[{'id':'" call "'}],'metadata':{'execution_id':'" id \
	"','is_trace':true}" \
	"}"

/* Which nested executions are current: a digit for each. */
static const char *
current(void)
{
	static char digits[16];
	unsigned count = 0;

	for (uint32_t i = 1; i <= walk.nested.count; i++)
		if (walk_is_nested_current(&walk, i))
			digits[count++] = (char)('0' + i);
	digits[count] = '\0';
	return digits;
}

static void
test_nested(void)
{
	struct verdict verdict;

	restart();
	add(USER);
	add(CALL("a"));
	verdict = add(CALL_OF("e2", "b"));
	CHECK(verdict.nested == 1 && verdict.execution == 0 && !verdict.execution_began);
	CHECK(add(CALL_OF("e3", "c")).nested == 2);
	CHECK_STR(walk_nested_id(&walk, 2), "e3");
	CHECK(strcmp(current(), "12") == 0);
	verdict = add(GETS("b"));
	CHECK(verdict.nested == 1 && !verdict.is_displaced && strcmp(current(), "1") == 0);
	verdict = add(GETS("c"));
	CHECK(verdict.nested == 2 && !verdict.is_displaced && strcmp(current(), "12") == 0);
	add(CALL_OF("e2", "d"));
	CHECK(strcmp(current(), "1") == 0);
	verdict = add(GETS("a"));
	CHECK(verdict.nested == 0 && !verdict.is_displaced && strcmp(current(), "") == 0);
	CHECK(!add(SAYS).execution_began);
	CHECK(add(GETS("d")).is_displaced && strcmp(current(), "") == 0);
	CHECK(add(CALL_OF("e2", "e")).nested == 1 && add(CALL_OF("e4", "f")).execution_began);
	CHECK(add(GETS("e")).is_late && walk.nested.count == 0);
	add(CALL_OF("e2", "g"));
	CHECK(add("{'role':'assistant','content':'x','metadata':{'execution_id':'e2'}}")
		  .execution_began);
}

/* A user message that is trace. */
static void
test_asked(void)
{
	struct verdict verdict;

	restart();
	CHECK(add(TASK("e1")).is_request && walk.turn_count == 1);
	add(CALL_OF("e1", "a"));
	verdict = add(TASK("e2"));
	CHECK(verdict.nested == 1 && !verdict.is_request && verdict.turn == 1);
	CHECK(add(CALL_OF("e3", "b")).nested == 2 && strcmp(current(), "2") == 0);
	add(TASK("e3"));
	CHECK(strcmp(current(), "") == 0);
	CHECK(add(CALL("c")).nested == 2 && add(CALL_OF("e4", "d")).nested == 3);
	CHECK(strcmp(current(), "") == 0);
	CHECK(add(GETS("d")).nested == 3 && add(GETS("a")).nested == 0);
	CHECK(add(SAYS).is_answer);
	CHECK(add(TASK("e5")).answer == FATE_OPEN && walk.has_answer);
	CHECK(!add("{'role':'user','metadata':{'is_trace':true}}").execution_began);
	CHECK(add(TASK("e1")).answer == FATE_GONE && walk.turn_count == 1);
	CHECK(add(USER).execution_began && walk.turn_count == 2);
}

int
main(void)
{
	message_init();
	test_executions();
	test_nested();
	test_asked();
	test_steering();
	test_turns();
	test_origins();
	test_trace();
	test_fates();
	test_pairs();
	test_notes();
	test_few();
	test_many();
	test_agents();
	walk_free(&walk);
	arena_free(&padded_arena);
	return unit_end();
}
