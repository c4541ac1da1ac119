/* Records on their way through a chain of stages, and the fault that the chain shares. */

#include "data/stage.h"

#include "unit.h"

/* A stage that hands all on, and counts. */
struct counter {
	struct stage stage;
	unsigned taken, ended;
	bool fails_at_end;
};

static void
take(struct stage *stage, struct record *record)
{
	((struct counter *)stage)->taken++;
	if (stage->next != NULL)
		stage_emit(stage, record);
}

static void
end(struct stage *stage)
{
	struct counter *counter = (struct counter *)stage;

	counter->ended++;
	if (counter->fails_at_end)
		fault_set(stage->fault, STATUS_NO, "the answer of %d is no", 7);
}

static void
test_chain(bool fails)
{
	struct counter first = {{take, end, NULL, NULL}, 0, 0, fails};
	struct counter second = {{take, end, NULL, NULL}, 0, 0, false};
	struct stage *const list[] = {&first.stage, &second.stage, NULL};
	struct fault fault = FAULT_INIT;
	struct record record = {.kind = RECORD_FOREIGN};

	stage_link(list, NULL, &fault);
	first.stage.take(&first.stage, &record);
	first.stage.take(&first.stage, &record);
	stage_end(&first.stage);
	CHECK(first.taken == 2 && second.taken == 2 && first.ended == 1);
	CHECK(second.ended == !fails); /* what comes behind a fault is not ended */
	CHECK(fault_is_set(&fault) == fails);
	fault_free(&fault);
}

static void
test_fault(void)
{
	struct fault fault = FAULT_INIT;

	CHECK(!fault_is_set(&fault));
	CHECK(!fault_set(&fault, STATUS_IO, "cannot write '%s'", "x"));
	CHECK(!fault_set(&fault, STATUS_OS, "what follows from it"));
	CHECK(fault.status == STATUS_IO);
	CHECK_STR(fault.text, "cannot write 'x'");
	fault_free(&fault);
	CHECK(!fault_is_set(&fault));
	CHECK(status_worse(STATUS_DATA, STATUS_IO) == STATUS_IO);
	CHECK(status_worse(STATUS_OS, STATUS_OK) == STATUS_OS);
}

/* A line with a BOM and CR LF, and padding behind it. */
static const char line[] = "\xef\xbb\xbf{\"role\":\"user\"}\r\n"
			   "                                                                ";

static struct record
record_of_line(void)
{
	size_t len = strcspn(line, "\n") + 1;

	return (struct record){.kind = RECORD_MESSAGE,
	    .line = {.raw = str_of(line, len),
		.text = str_of(line + 3, len - 5),
		.file = "f",
		.number = 4}};
}

static void
test_settle(void)
{
	struct record record = record_of_line();
	struct json_edit edit;
	struct message message;
	struct buf buf = BUF_INIT;

	CHECK(record_message(&record, &message)->role == ROLE_USER);
	record_settle(&record, &buf);
	CHECK(record.line.raw.ptr == line && record.message == &message);
	json_edit_init(&edit, record.line.text);
	json_edit_replace(&edit, str_of(record.line.text.ptr + 8, 6), STR("\"tool\""));
	record.edit = &edit;
	record_settle(&record, &buf);
	CHECK_STR(record.line.raw, "\xef\xbb\xbf{\"role\":\"tool\"}\r\n");
	CHECK_STR(record.line.text, "{\"role\":\"tool\"}");
	CHECK(record.edit == NULL && record_message(&record, &message)->role == ROLE_TOOL);
	buf_free(&buf);
}

/* A stage may change the record that it gets, and the holder's own keeps its block. */
static void
settle(struct stage *stage, struct record *record)
{
	(void)stage;
	record->block = NULL;
	record->kind = RECORD_BAD;
}

static void
test_emit_held(void)
{
	struct record held, record = record_of_line();
	struct stage holder = {.take = settle}, behind = {.take = settle};

	holder.next = &behind;
	record_hold(&held, &record);
	stage_emit_held(&holder, &held);
	CHECK(held.block != NULL && held.kind == RECORD_MESSAGE);
	record_release(&held);
	CHECK(held.block == NULL);
}

static void
test_make(void)
{
	struct record made, given = record_of_line();

	record_make(&made, &given.line, STR("{}\n"));
	CHECK_STR(made.line.raw, "{}\n");
	CHECK_STR(made.line.text, "{}");
	CHECK(made.state == RECORD_ADDED && made.line.number == 4 &&
	    made.line.file == given.line.file);
	record_respell(&made, &given.line, STR("{}\n"), NULL);
	CHECK(made.state == RECORD_CHANGED && made.kind == RECORD_MESSAGE && made.line.number == 4);
	record_make(&made, &given.line, STR("{}"));
	CHECK_STR(made.line.text, "{}");
}

int
main(void)
{
	message_init();
	test_fault();
	test_chain(false);
	test_chain(true);
	test_settle();
	test_emit_held();
	test_make();
	return unit_end();
}
