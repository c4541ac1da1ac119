/* Drafts: what the records of one message say and has no place, and the id beside it. */

#include "dialects/draft/draft.h"

#include "unit.h"

static bool
same(struct json_value a, struct json_value b)
{
	return a.type == b.type &&
	    (a.type == JSON_ABSENT ||
		(str_eq(json_span(a), json_span(b)) && a.escaped == b.escaped));
}

/* Writes the draft. What is made without reading is what would be read. */
static void
check_made(const struct draft *draft, unsigned calls)
{
	struct message made, read;
	struct buf text = BUF_INIT;
	bool is_made = draft_write(draft, &text, &made);

	CHECK(is_made);
	buf_pad(&text);
	message_parse(&read, buf_str(&text));
	CHECK(made.kind == read.kind && made.role == read.role && made.home == read.home);
	CHECK(made.has_metadata == read.has_metadata && made.call_count == calls);
	CHECK(same(made.value, read.value) && same(made.content, read.content));
	CHECK(same(made.tool_calls, read.tool_calls) && same(made.metadata, read.metadata));
	CHECK(same(made.tool_call_id, read.tool_call_id));
	for (int i = 0; i < METADATA_COUNT; i++)
		CHECK(same(made.meta[i], read.meta[i]));
	for (unsigned i = 0; i < calls; i++) {
		CHECK(same(made.call[i].value, read.call[i].value));
		CHECK(same(made.call[i].id, read.call[i].id));
		CHECK(same(made.call[i].name, read.call[i].name));
		CHECK(same(made.call[i].arguments, read.call[i].arguments));
	}
	buf_free(&text);
}

static void
test_made(struct draft *draft)
{
	static const char block[] = "{\"type\":\"tool_use\",\"id\":7,\"name\":\"f\\n\","
				    "\"input\":{\"a\":\"b\"}}";
	static const char result[] =
	    "{\"type\":\"tool_result\",\"tool_use_id\":\"c\",\"content\":null,\"is_error\":true}";
	static const char usage[] = "{\"usage\":1}";
	struct buf text = BUF_INIT;

	buf_add_fmt(&text, "[%s,%s,%s]", block, result, usage);
	buf_pad(&text);
	draft_reset(draft, STR("assistant"));
	for (unsigned i = 1; i <= 2; i++) {
		draft_add_block(draft, json_value_at(text.ptr + 1));
		draft_meta_extra(draft, STR("x"), STR("{\"id\":\"no\"}"));
		draft_meta_string(draft, STR("id"), STR("\"i"));
		draft_meta_extra(draft, STR("x"), STR("2"));
		draft_claim(draft, STR("agent_id"), STR("[1]"));
		check_made(draft, i);
	}
	draft_set_usage(draft, json_value_at(text.ptr + sizeof block + sizeof result));
	check_made(draft, 2);
	draft_add_call(draft, json_value_at(text.ptr + 1));
	check_made(draft, 0);
	draft_reset(draft, STR("tool"));
	draft_set_result(draft, json_value_at(text.ptr + 1 + sizeof block));
	check_made(draft, 0);
	buf_free(&text);
}

int
main(void)
{
	struct draft draft = DRAFT_INIT;
	struct buf text = BUF_INIT;
	const char usage[JSON_PADDING] = "{\"a\":2}";

	message_init();
	draft_reset(&draft, STR("assistant"));
	draft_meta_string(&draft, STR("model"), STR("m"));
	draft_meta_extra(&draft, STR("x"), STR("{\"a\":1}"));
	draft_meta_extra(&draft, STR("x"), STR("{\"a\":1}"));
	draft_meta_string(&draft, STR("id"), STR("i"));
	CHECK_STR(json_span(draft_id(&draft)), "\"i\"");
	draft_write_metadata(&draft, &text);
	CHECK_STR(text, "{\"model\":\"m\",\"x\":{\"a\":1},\"id\":\"i\"}");
	/* What is said later stands before the id, which moves. */
	for (int i = 0; i < 2; i++) {
		draft_meta_extra(&draft, STR("x"), STR("{\"b\":2}"));
		CHECK_STR(json_span(draft_id(&draft)), "\"i\"");
	}
	draft_meta_string(&draft, STR("kind"), STR("k"));
	buf_reset(&text);
	draft_write_metadata(&draft, &text);
	CHECK_STR(text,
	    "{\"model\":\"m\",\"x\":[{\"a\":1},{\"b\":2},{\"b\":2}],\"id\":\"i\",\"kind\":\"k\"}");
	/* The next message has its own. */
	draft_reset(&draft, STR("assistant"));
	draft_meta_extra(&draft, STR("x"), STR("1"));
	buf_reset(&text);
	draft_write_metadata(&draft, &text);
	CHECK_STR(text, "{\"x\":1}");
	/* A usage alone, in a draft that never held anything else. */
	draft_free(&draft);
	draft = (struct draft)DRAFT_INIT;
	draft_reset(&draft, STR("assistant"));
	draft_set_usage(&draft, json_value_at(usage));
	buf_reset(&text);
	draft_write_metadata(&draft, &text);
	CHECK_STR(text, "{\"usage\":{\"a\":2}}");
	test_made(&draft);
	draft_free(&draft);
	buf_free(&text);
	return unit_end();
}
