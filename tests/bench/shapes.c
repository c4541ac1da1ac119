/*
 * shapes SHAPE N: a stream that is meant to hurt, of a size that grows with N: records, calls or
 * executions, kilobytes of one line, brackets by ten. Without operands the names of all shapes.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALL \
	"{\"id\":\"%s%lu\",\"type\":\"function\",\"function\":{\"name\":\"%s\",\"arguments\":\"{" \
	"\\\"path\\\":\\\"%s%lu\\\"}\"}}"

static void
user(unsigned long i)
{
	printf("{\"role\":\"user\",\"content\":\"question %lu\"}\n", i);
}

static void
says(unsigned long i)
{
	printf("{\"role\":\"assistant\",\"content\":\"answer %lu\"}\n", i);
}

/* A message with one call, of id c and number, on a path with that number. */
static void
call(unsigned long id, const char *tool, unsigned long path)
{
	printf("{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[" CALL "]}\n", "c", id,
	    tool, "src/", path);
}

static void
result(unsigned long id, const char *metadata)
{
	printf("{\"role\":\"tool\",\"tool_call_id\":\"c%lu\",\"content\":\"result %lu of some "
	       "length\"%s}\n",
	    id, id, metadata);
}

#define FAILED ",\"metadata\":{\"is_error\":true}"

static void
calls_then_results(unsigned long n)
{
	user(0);
	for (unsigned long i = 0; i < n; i++)
		call(i, "read", i);
	for (unsigned long i = 0; i < n; i++)
		result(i, "");
}

/* Sentences that forbid and that release the same in turn, and one that is said again each time. */
static void
orders(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++) {
		printf("{\"role\":\"user\",\"content\":\"%s src/a%lu.c.\\nAlways be brief, "
		       "please.\"}\n",
		    i % 2 == 0 ? "Never touch" : "You may now touch", i / 2 % 100);
		says(i);
	}
}

/* Results in the order of the calls, or the last first. */
static void
one_group(unsigned long n, int reversed)
{
	user(0);
	printf("{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[");
	for (unsigned long i = 0; i < n; i++)
		printf("%s" CALL, i > 0 ? "," : "", "c", i, "read", "src/", i);
	printf("],\"metadata\":{\"section\":\"messages\"}}\n");
	for (unsigned long i = 0; i < n; i++)
		result(reversed ? n - 1 - i : i, "");
	says(n);
	user(1);
}

static void
giant_group(unsigned long n)
{
	one_group(n, 0);
}

static void
giant_group_reversed(unsigned long n)
{
	one_group(n, 1);
}

static void
equal_ids(unsigned long n)
{
	user(0);
	for (unsigned long i = 0; i < n; i++)
		call(1, "read", i);
	for (unsigned long i = 0; i < n; i++)
		result(1, "");
}

static void
all_unresolved(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++) {
		user(i);
		call(i, "read", i);
		result(i, FAILED);
		says(i);
	}
}

/* The same call again and again: it fails until the last, which succeeds. */
static void
one_key(unsigned long n)
{
	user(0);
	for (unsigned long i = 0; i < n; i++) {
		call(i, "read", 1);
		result(i, i + 1 < n ? FAILED : "");
	}
	says(n);
	user(1);
}

static void
alternating_agents(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++) {
		printf(
		    "{\"role\":\"user\",\"content\":\"q\",\"metadata\":{\"agent_id\":\"a%lu\"}}\n",
		    i % 2);
		printf("{\"role\":\"assistant\",\"tool_calls\":[" CALL
		       "],\"metadata\":{\"agent_id\":\"a%lu\"}}\n",
		    "c", i, "read", "src/", i, i % 2);
		printf("{\"role\":\"tool\",\"tool_call_id\":\"c%lu\",\"content\":\"r\","
		       "\"metadata\":{\"agent_id\":\"a%lu\"}}\n",
		    i, i % 2);
	}
}

/* As many agents as messages, each with an open call. */
static void
many_agents(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		printf("{\"role\":\"assistant\",\"tool_calls\":[" CALL
		       "],\"metadata\":{\"agent_id\":\"a%lu\"}}\n",
		    "c", i, "read", "src/", i, i);
}

static void
executions(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++) {
		printf("{\"role\":\"user\",\"content\":\"q\",\"metadata\":{\"execution_id\":\"e%"
		       "lu\"}}\n",
		    i);
		call(i, "read", i % 7);
		result(i, "");
		says(i);
	}
}

/* Two ids that come back, a new run each time. */
static void
returning_executions(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++) {
		printf("{\"role\":\"user\",\"content\":\"q\",\"metadata\":{\"execution_id\":\"e%"
		       "lu\"}}\n",
		    i % 2);
		call(i, "read", i);
	}
}

static void
targets(unsigned long n)
{
	user(0);
	for (unsigned long i = 0; i < n; i++) {
		call(i, i % 3 == 0 ? "edit" : "read", i);
		result(i, i % 5 == 0 ? FAILED : "");
	}
	says(n);
	user(1);
}

static void
unmatched_results(unsigned long n)
{
	user(0);
	for (unsigned long i = 0; i < n; i++)
		result(i, "");
}

static void
equal_message_ids(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		printf("{\"role\":\"user\",\"content\":\"q%lu\",\"metadata\":{\"id\":\"m%lu\"}}\n",
		    i, i % 2 ? 0 : i);
}

/* An error that resolves all ids there are. */
static void
resolves_all(unsigned long n)
{
	user(0);
	for (unsigned long i = 0; i < n; i++) {
		call(i, "read", i);
		result(i, FAILED);
	}
	printf("{\"role\":\"assistant\",\"content\":\"done\",\"metadata\":{\"resolves\":[\"c0\"");
	for (unsigned long i = 1; i < n; i++)
		printf(",\"c%lu\"", i);
	printf("]}}\n");
}

static void
many_parts(unsigned long n)
{
	printf("{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"a\"}");
	for (unsigned long i = 0; i < n; i++)
		printf(",{\"type\":\"text\",\"text\":\"part %lu\"}", i);
	printf("]}\n");
}

static void
many_members(unsigned long n)
{
	printf("{\"role\":\"user\",\"content\":\"q\",\"metadata\":{\"a\":1");
	for (unsigned long i = 0; i < n; i++)
		printf(",\"m%lu\":%lu", i, i);
	printf("}}\n");
}

static void
bad_lines(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++) {
		call(i, "read", i);
		puts("{torn");
	}
}

static void
long_line(unsigned long n)
{
	char kilobyte[1000];

	memset(kilobyte, 'a', sizeof kilobyte);
	printf("{\"role\":\"user\",\"content\":\"");
	for (unsigned long i = 0; i < n; i++)
		fwrite(kilobyte, 1, sizeof kilobyte, stdout);
	printf("\"}\n");
}

static void
brackets(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		printf("[[[[[[[[[[");
	printf("\n");
}

static const struct {
	const char *name;
	void (*write)(unsigned long n);
} shape[] = {
    {"calls-then-results", calls_then_results},
    {"giant-group", giant_group},
    {"giant-group-reversed", giant_group_reversed},
    {"equal-ids", equal_ids},
    {"all-unresolved", all_unresolved},
    {"one-key", one_key},
    {"resolves-all", resolves_all},
    {"alternating-agents", alternating_agents},
    {"many-agents", many_agents},
    {"executions", executions},
    {"returning-executions", returning_executions},
    {"targets", targets},
    {"orders", orders},
    {"unmatched-results", unmatched_results},
    {"equal-message-ids", equal_message_ids},
    {"many-parts", many_parts},
    {"many-members", many_members},
    {"bad-lines", bad_lines},
    {"long-line", long_line},
    {"brackets", brackets},
};

int
main(int argc, char *argv[])
{
	for (size_t i = 0; i < sizeof shape / sizeof shape[0]; i++)
		if (argc == 1)
			puts(shape[i].name);
		else if (argc == 3 && strcmp(argv[1], shape[i].name) == 0) {
			shape[i].write(strtoul(argv[2], NULL, 10));
			return fflush(stdout) == 0 ? 0 : 74;
		}
	if (argc == 1)
		return 0;
	fprintf(stderr, "usage: shapes [shape n]\n");
	return 64;
}
