/* Torn lines: where the second record begins, whatever the first one was cut in. */

#include "policy/normalize/torn.h"

#include "json_padded.h"
#include "unit.h"

struct seen {
	struct stage stage;
	char text[4096];
};

static void
see(struct stage *stage, struct record *record)
{
	struct seen *seen = (struct seen *)stage;
	size_t len = strlen(seen->text);

	snprintf(seen->text + len, sizeof seen->text - len, "%c%.*s|",
	    record->kind == RECORD_BAD ? '-' : '+', STR_ARG(record->line.raw));
}

/* What becomes of the line. */
static const char *
mend(const char *text)
{
	static struct seen seen;
	struct torn torn;
	struct message message;
	struct record record = {.line = {.raw = padded(text), .number = 1}};
	struct fault fault = FAULT_INIT;

	seen = (struct seen){.stage = {.take = see, .end = stage_pass_end}};
	torn_init(&torn);
	stage_link((struct stage *[]){&torn.stage, NULL}, &seen.stage, &fault);
	record.line.text = record.line.raw;
	message_parse(&message, record.line.text);
	record.kind = message.kind;
	record.message = &message;
	torn.stage.take(&torn.stage, &record);
	return seen.text;
}

#define WHOLE "{\"role\":\"user\",\"content\":\"a {b\\\"} {\"}"

static void
test_every_tear(void)
{
	static const char first[] =
	    "{\"role\":\"assistant\",\"content\":\"x \\u00e9 \\\\ "
	    "\xc3\xa9\",\"n\":[1.5e3,true,null],"
	    "\"tool_calls\":[{\"id\":\"c\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}";
	char line[1024], want[1024];

	for (int len = 1; len < (int)sizeof first - 1; len++) {
		snprintf(line, sizeof line, "%.*s" WHOLE, len, first);
		snprintf(want, sizeof want, "-%.*s|+" WHOLE "|", len, first);
		if (!CHECK(strcmp(mend(line), want) == 0))
			printf("%s\n%s\n", line, mend(line));
	}
}

int
main(void)
{
	message_init();
	test_every_tear();
	CHECK(strcmp(mend("{\"role\":\"us{\"role\":\"user{\"a\":1}"),
		  "-{\"role\":\"us{\"role\":\"user|+{\"a\":1}|") == 0);
	CHECK(strcmp(mend("{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c\"}"),
		  "-{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c\"}|") == 0);
	CHECK(strcmp(mend("{\"m\":" WHOLE "{\"a\":1}"), "-{\"m\":|+" WHOLE "|+{\"a\":1}|") == 0);
	CHECK(strcmp(mend("{\"role\":\"us"), "-{\"role\":\"us|") == 0);
	CHECK(strcmp(mend("{\"role\":\"us{\"role\":"), "-{\"role\":\"us{\"role\":|") == 0);
	CHECK(strcmp(mend("what is this {\"a\":1} here"), "-what is this {\"a\":1} here|") == 0);
	CHECK(strcmp(mend(WHOLE), "+" WHOLE "|") == 0);
	CHECK(strcmp(mend(WHOLE WHOLE), "+" WHOLE "|+" WHOLE "|") == 0);
	return unit_end();
}
