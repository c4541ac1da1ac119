/* What a reader that is not trusted may have forgotten: whatever it emits, and whatever it says of
 * that, no metadata comes through but that a result is an error. */

#include "dialects/untrusted.h"

#include "dialects/draft/draft.h"

#include "unit.h"

struct sink {
	struct stage stage;
	unsigned taken;
	struct buf text;
};

static void
take(struct stage *stage, struct record *record)
{
	struct sink *sink = (struct sink *)stage;

	sink->taken++;
	buf_reset(&sink->text);
	buf_add_str(&sink->text, record->line.text);
}

/* Takes what a reader has made through the stage, to the sink. */
static void
strip(struct sink *sink, struct dialect_reading *reading, const char *json, uint8_t read)
{
	struct untrusted untrusted;
	struct fault fault = FAULT_INIT;
	struct buf text = BUF_INIT;

	*sink = (struct sink){.stage = {.take = take, .end = stage_pass_end}, .text = sink->text};
	buf_reset(&sink->text);
	buf_add_str(&text, str_from(json));
	untrusted_init(&untrusted, reading);
	stage_link((struct stage *[]){&untrusted.stage, NULL}, &sink->stage, &fault);
	dialect_emit_of(&(struct stage){.next = &untrusted.stage}, &(struct line){.number = 1},
	    &text, NULL, read, NULL);
	untrusted_free(&untrusted);
	buf_free(&text);
}

static void
test_records(void)
{
	static const char *const message =
	    "{\"role\":\"tool\",\"content\":\"x\",\"metadata\":{\"pass\":\"0\",\"is_error\":true}}";
	struct dialect_reading reading = {.metadata = 0};
	struct sink sink = {.taken = 0};

	strip(&sink, &reading, message, 0);
	CHECK_STR(buf_str(&sink.text), "{\"role\":\"tool\",\"content\":\"x\"}");
	CHECK(reading.metadata == 1);
	strip(&sink, &reading, message, RECORD_READ_OWN);
	CHECK_STR(buf_str(&sink.text), "{\"role\":\"tool\",\"content\":\"x\"}");
	CHECK(reading.metadata == 1);
	strip(&sink, &reading, message, RECORD_READ_ERROR);
	CHECK_STR(buf_str(&sink.text),
	    "{\"role\":\"tool\",\"content\":\"x\",\"metadata\":{\"is_error\":true}}");
	CHECK(reading.metadata == 2);
	strip(&sink, &reading, message, RECORD_READ_OWN | RECORD_READ_AGENT);
	CHECK(sink.taken == 0 && reading.agents == 1);
	strip(&sink, &reading, "{\"type\":\"context\",\"tools\":[]}", RECORD_READ_OWN);
	CHECK(sink.taken == 0 && reading.contexts == 1);
	strip(&sink, &reading, "{\"type\":\"budget\"}", 0);
	CHECK(sink.taken == 0 && reading.budgets == 1);
	buf_free(&sink.text);
}

/* A reader that says nothing of a sub-agent but its metadata has said enough. */
static void
test_draft(void)
{
	struct draft draft = DRAFT_INIT;

	draft_reset(&draft, STR("user"));
	CHECK(draft.read == RECORD_READ_OWN);
	draft_meta_string(&draft, STR("parent_execution_id"), STR("e"));
	CHECK(draft.read == (RECORD_READ_OWN | RECORD_READ_AGENT));
	draft_reset(&draft, STR("user"));
	draft_claim(&draft, STR("parent_execution_id"), STR("\"e\""));
	CHECK(draft.read == 0);
	draft_free(&draft);
}

int
main(void)
{
	message_init();
	test_records();
	test_draft();
	return unit_end();
}
