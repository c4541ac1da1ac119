/* Drafts: what the records of one message say and has no place, and the id beside it. */

#include "dialects/parts/draft.h"

#include "unit.h"

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
	draft_free(&draft);
	buf_free(&text);
	return unit_end();
}
