/*
 * The laws of the repair, for streams drawn at random from all that decides about pairs: twice is
 * once, what it puts has nothing to find, what has nothing to find is put as it is, and no text is
 * lost but that of repeated and empty messages.
 */

#include "policy/normalize/repair.h"

#include "json_padded.h"
#include "unit.h"

enum { STREAMS = 4000, LINES_MAX = 16 };

struct run {
	struct buf out; /* lines */
	unsigned found;
	unsigned repeated;
	unsigned changed;
};

static uint64_t state = 5;

static unsigned
below(unsigned limit)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (unsigned)(state * UINT64_C(0x2545f4914f6cdd1d) >> 40) % limit;
}

/* The last stage of the chain. */
struct sink {
	struct stage stage;
	struct run *run;
};

static void
put(struct stage *stage, struct record *record)
{
	struct run *run = ((struct sink *)stage)->run;
	struct message message;

	CHECK(record->state != RECORD_GIVEN || record->kind != RECORD_MESSAGE ||
	    record->message == NULL || record->message->kind == RECORD_MESSAGE);
	buf_add_str(&run->out, record->line.text);
	buf_add_char(&run->out, '\n');
	run->changed += record->state != RECORD_GIVEN;
	message_parse(&message, record->line.text);
	CHECK(message.kind == record->kind);
}

/* What was found is in the counts, and in the list when it is a check. */
static void
count(struct run *run, const struct repair *repair)
{
	struct violation_finding finding;
	size_t at = 0;
	unsigned listed = 0;

	for (enum violation v = 0; v < VIOLATION_COUNT; v++)
		run->found += (unsigned)repair->count[v];
	run->repeated = (unsigned)repair->count[VIOLATION_REPEATED_ID];
	for (; violation_list_next(repair->findings, &at, &finding); listed++)
		CHECK(
		    strcmp(finding.file, "f") == 0 && finding.line > 0 && finding.subject.len > 0);
	CHECK(listed == (repair->only_check ? run->found : 0));
}

static const char *const call_ids[] = {"\"a\"", "\"b\"", "\"c\"", "\"\"", "null", "5", "\"5\""};

/* The first three more often than the others. */
static const char *
call_id(void)
{
	return call_ids[below(4) > 0 ? below(3) : below(7)];
}

/* Repairs the lines of in; the caller frees run.out. */
static struct run
repair(struct str in, bool only_check, bool whole, enum repair_open open)
{
	struct run run = {BUF_INIT, 0, 0, 0};
	struct repair repair;
	struct buf findings = BUF_INIT;
	struct fault fault = FAULT_INIT;
	struct sink sink = {{.take = put, .end = stage_pass_end, .fault = &fault}, &run};
	struct line line = {.file = "f"};
	struct message message;
	struct record record;
	const char *end;

	repair_init(&repair, &findings, only_check, whole, open);
	stage_link((struct stage *[]){&repair.stage, NULL}, &sink.stage, &fault);
	for (; in.len > 0; in = str_of(end + 1, in.len - (size_t)(end + 1 - in.ptr))) {
		end = memchr(in.ptr, '\n', in.len);
		line.raw = line.text = padded_at(str_of(in.ptr, (size_t)(end - in.ptr)), 0, '\n');
		line.number++;
		message_parse(&message, line.text);
		record = (struct record){.line = line, .kind = message.kind, .message = &message};
		repair.stage.take(&repair.stage, &record);
		memset((char *)line.raw.ptr, '?', line.raw.len); /* it lives no longer */
	}
	stage_end(&repair.stage);
	count(&run, &repair);
	repair_free(&repair);
	buf_free(&findings);
	return run;
}

static void
add_calls(struct buf *in)
{
	buf_add_str(in, STR("{\"role\":\"assistant\",\"content\":null,\"tool_calls\":["));
	for (unsigned i = 0, calls = 1 + below(3); i < calls; i++)
		buf_add_fmt(
		    in, "%s{\"id\":%s,\"function\":{\"name\":\"f\"}}", i > 0 ? "," : "", call_id());
	buf_add_char(in, ']');
}

static void
add_metadata(struct buf *in, bool one_agent)
{
	static const char *const whose[] = {"\"execution_id\":\"e\"", "\"id\":\"m\"",
	    "\"id\":\"n\"", "\"execution_id\":\"e\",\"is_trace\":true",
	    "\"execution_id\":\"f\",\"is_trace\":true", "\"parent_execution_id\":\"p\""};

	buf_add_fmt(in, ",\"metadata\":{%s%s}", whose[below(one_agent ? 5 : 6)],
	    below(4) == 0 ? ",\"pinned\":true" : "");
}

/* A record; number makes its text its own. */
static void
add_record(struct buf *in, unsigned number, bool one_agent)
{
	switch (below(10)) {
	case 0:
		buf_add_str(in, below(2) ? STR("{bad\n") : STR("{\"type\":\"x\"}\n"));
		return;
	case 1:
		buf_add_fmt(in, "{\"role\":\"user\",\"content\":\"<%u>\"", number);
		break;
	case 2:
		buf_add_fmt(in, "{\"role\":\"assistant\",\"content\":\"<%u>\"", number);
		break;
	case 3:
	case 4:
	case 5:
		add_calls(in);
		break;
	default:
		buf_add_fmt(in, "{\"role\":\"tool\",\"tool_call_id\":%s,\"content\":\"<%u>\"",
		    below(5) > 0 ? call_id() : "\"d\"", number);
	}
	if (below(4) == 0)
		add_metadata(in, one_agent);
	buf_add_str(in, STR("}\n"));
}

/* Texts stay, but for those of as many messages as repeat an id. */
static void
check_texts(struct str in, struct str out, unsigned records, unsigned repeated)
{
	unsigned lost = 0;
	char text[32];

	for (unsigned i = 0; i < records; i++) {
		snprintf(text, sizeof text, "<%u>", i);
		if (str_find(in, str_from(text)) != NULL)
			lost += str_find(out, str_from(text)) == NULL;
		else
			CHECK(str_find(out, str_from(text)) == NULL);
	}
	CHECK(lost <= repeated);
}

static void
check_stream(struct str in, unsigned records, bool whole, bool one_agent, enum repair_open open)
{
	struct run once = repair(in, false, whole, open);
	struct run twice = repair(buf_str(&once.out), false, whole, open);
	struct run check = repair(in, true, whole, open);
	struct run after = repair(buf_str(&once.out), true, whole, open);
	bool keeps_all = one_agent || !whole; /* else messages of the others go */
	bool holds = CHECK(str_eq(buf_str(&once.out), buf_str(&twice.out)));

	holds &= CHECK(twice.changed == 0 && twice.found == 0 && after.found == 0);
	holds &= CHECK(check.found == once.found && check.out.len == 0);
	if (keeps_all)
		holds &= CHECK((once.found == 0) == str_eq(in, buf_str(&once.out)));
	if (!holds)
		printf("of this stream:\n%.*s", STR_ARG(in));
	if (keeps_all && open != REPAIR_OPEN_DROP)
		check_texts(in, buf_str(&once.out), records, once.repeated);
	buf_free(&once.out);
	buf_free(&twice.out);
}

int
main(void)
{
	struct buf in = BUF_INIT;

	message_init();
	for (unsigned i = 0; i < STREAMS && unit_failed == 0; i++) {
		unsigned records = 1 + below(LINES_MAX);
		bool one_agent = below(2);

		buf_reset(&in);
		for (unsigned j = 0; j < records; j++)
			add_record(&in, j, one_agent);
		check_stream(
		    buf_str(&in), records, i % 2, one_agent, (enum repair_open)(i / 2 % 3));
		arena_reset(&padded_arena);
	}
	buf_free(&in);
	arena_free(&padded_arena);
	return unit_end();
}
