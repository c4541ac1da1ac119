/* The ordered walk: executions, turns, origins, and which result answers which call. */

#include "data/walk.h"

#include "json_padded.h"
#include "unit.h"

static struct walk walk;

/* Adds a message; its JSON is written with ' for ". */
static struct place
add(const char *text)
{
	struct str line = padded(text);
	struct message message;
	struct place place;

	for (size_t i = 0; i < line.len; i++)
		if (line.ptr[i] == '\'')
			((char *)line.ptr)[i] = '"';
	message_parse(&message, line);
	CHECK(message.kind == RECORD_MESSAGE);
	walk_add(&walk, &message, &place);
	return place;
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
	CHECK(add("{'role':'assistant','metadata':{'execution_id':'#99999999999'}}").execution == 10);
	CHECK(add("{'role':'assistant','metadata':{'execution_id':7}}").execution == 10);
	CHECK(add(USER).execution == 11);
	CHECK_STR(walk_execution_id(&walk), "#43");
}

static void
test_steering(void)
{
	struct place place;

	restart();
	add(USER);
	CHECK(!add(USER).steers);
	CHECK_STR(walk_execution_id(&walk), "#2");
	add(CALL("c1"));
	add(GETS("c1"));
	place = add(USER);
	CHECK(place.steers && !place.execution_began && place.execution == 1);
	CHECK(place.turn == 3);
	CHECK(add(USER).execution_began); /* the last message is no result any more */
	add(CALL("c1"));
	add(CALL("c2"));
	add(GETS("c2"));
	CHECK(add(USER).execution_began); /* c1 has no result */
	add(GETS("c1"));
	CHECK(add(USER).execution_began); /* a late result changes nothing */
	add("{'role':'tool','tool_call_id':'c9'}");
	CHECK(add(USER).execution_began); /* nor does one of no call */
	add(CALL("c5"));
	add(CALL("c6"));
	CHECK(!add("{'role':'tool','tool_call_id':'c5','metadata':{'execution_id':'e'}}").execution_began);
	place = add(USER);
	CHECK(place.execution_began);
	place = add(GETS("c6"));
	CHECK(place.is_late && !place.execution_began);
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
	CHECK(add("{'role':'assistant','metadata':{'origin':'nobody'}}").origin == ORIGIN_ASSISTANT);
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
}

static void
test_pairs(void)
{
	struct place place;

	restart();
	add(CALL("c1"));                              /* group 0, call 0 */
	add(CALL("c1"));                              /* group 1, call 1 */
	CHECK(add(GETS("c1")).answers == 1);
	CHECK(add(GETS("c1")).answers == 0);
	place = add(GETS("c1"));
	CHECK(place.answers == WALK_NONE && place.group == WALK_NONE);
	place = add("{'role':'assistant','tool_calls':[{'id':'a'},{'id':'b'},{'id':'a'}]}");
	CHECK(place.group == 2 && place.first_call == 2 && place.calls == 3);
	place = add(GETS("a"));
	CHECK(place.answers == 4 && place.group == 2);
	CHECK(add(GETS("a")).answers == 2);
	CHECK(add("{'role':'tool','tool_call_id':'\\u0062'}").answers == 3);
	add("{'role':'assistant','tool_calls':[{'function':{'name':'f'}}]}"); /* call 5, no id */
	CHECK(add("{'role':'tool'}").answers == 5);
	CHECK(add("{'role':'user','tool_call_id':'c1'}").answers == WALK_NONE);
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
	CHECK(walk.open_by_id.count == 0);
	CHECK(walk.open_used == 1000);
	for (unsigned i = 0; i < 1000; i++)
		add(CALL("c1"));
	CHECK(walk.open_used == 1000); /* slots are used again */
}

#define CHILD "'metadata':{'parent_execution_id':'e1','agent_id':'a'}"

static void
test_agents(void)
{
	struct place place;

	restart();
	add(USER);
	add(CALL("c1"));
	place = add("{'role':'user'," CHILD "}");
	CHECK(place.outside && place.execution == WALK_NONE && place.turn == WALK_NONE);
	CHECK(add("{'role':'tool','tool_call_id':'c1'," CHILD "}").answers == WALK_NONE);
	place = add("{'role':'assistant','tool_calls':[{'id':'c1'}]," CHILD "}");
	CHECK(place.outside && place.group == 1);
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

int
main(void)
{
	message_init();
	test_executions();
	test_steering();
	test_turns();
	test_origins();
	test_trace();
	test_pairs();
	test_many();
	test_agents();
	walk_free(&walk);
	arena_free(&padded_arena);
	return unit_end();
}
