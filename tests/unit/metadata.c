/* Where metadata is read and written, beside values that are something else. */

#include "data/message/metadata.h"

#include "json_padded.h"
#include "unit.h"

/* The message with two members of metadata set; "" when there is no place for them. */
static void
check_set(const char *text, const char *expected)
{
	static const struct metadata_member members[] = {
	    {METADATA_TOKENS, STR_INIT("5")}, {METADATA_PINNED, STR_INIT("true")}};
	struct str line = padded(text);
	struct buf buf = BUF_INIT;
	struct message message;
	struct json_edit edit;

	message_parse(&message, line);
	json_edit_init(&edit, line);
	if (metadata_set(&edit, &message, members, 2))
		json_edit_write(&edit, &buf);
	else
		CHECK(edit.count == 0);
	CHECK_STR(buf, expected);
	json_edit_free(&edit);
	if (buf.len > 0) { /* what was written is what is read, and nothing is left to change */
		message_parse(&message, padded_at(buf_str(&buf), 0, ' '));
		CHECK(message.metadata.type == JSON_OBJECT);
		CHECK(message_is(&message, METADATA_PINNED));
		CHECK(str_eq(json_span(message.meta[METADATA_TOKENS]), STR("5")));
	}
	buf_free(&buf);
}

static void
test_set(void)
{
	check_set("{\"role\":\"user\"}",
	    "{\"role\":\"user\",\"metadata\":{\"tokens\":5,\"pinned\":true}}");
	check_set("{\"role\":\"user\",\"metadata\":{}}",
	    "{\"role\":\"user\",\"metadata\":{\"tokens\":5,\"pinned\":true}}");
	check_set("{\"role\":\"user\",\"metadata\":{\"tokens\":9,\"a\":1}}",
	    "{\"role\":\"user\",\"metadata\":{\"tokens\":5,\"a\":1,\"pinned\":true}}");
	check_set("{\"_metadata\":{\"pinned\":null},\"role\":\"user\"}",
	    "{\"_metadata\":{\"pinned\":true,\"tokens\":5},\"role\":\"user\"}");
	check_set("{\"role\":\"user\",\"metadata\":\"note\"}",
	    "{\"role\":\"user\",\"metadata\":\"note\",\"_metadata\":{\"tokens\":5,\"pinned\":true}"
	    "}");
	check_set("{\"role\":\"user\",\"metadata\":null}",
	    "{\"role\":\"user\",\"metadata\":{\"tokens\":5,\"pinned\":true}}");
	check_set("{\"role\":\"user\",\"metadata\":7,\"_metadata\":null}",
	    "{\"role\":\"user\",\"metadata\":7,\"_metadata\":{\"tokens\":5,\"pinned\":true}}");
	check_set("{\"role\":\"user\",\"metadata\":null,\"_metadata\":{}}",
	    "{\"role\":\"user\",\"metadata\":null,\"_metadata\":{\"tokens\":5,\"pinned\":true}}");
	check_set("{\"role\":\"user\",\"_metadata\":[1]}",
	    "{\"role\":\"user\",\"_metadata\":[1],\"metadata\":{\"tokens\":5,\"pinned\":true}}");
	check_set("{\"role\":\"user\",\"metadata\":\"note\",\"_metadata\":{}}",
	    "{\"role\":\"user\",\"metadata\":\"note\",\"_metadata\":{\"tokens\":5,\"pinned\":true}"
	    "}");
	check_set("{\"role\":\"user\",\"metadata\":{},\"_metadata\":\"note\"}",
	    "{\"role\":\"user\",\"metadata\":{\"tokens\":5,\"pinned\":true},\"_metadata\":"
	    "\"note\"}");
	check_set("{\"role\":\"user\",\"metadata\":1,\"_metadata\":2}", "");
}

static void
check_read(const char *text, const char *tokens, bool has_metadata)
{
	struct message message;
	unsigned present = 0;

	message_parse(&message, padded(text));
	for (unsigned i = 0; i < METADATA_COUNT; i++)
		present += message.meta[i].type != JSON_ABSENT;
	CHECK(present == (tokens != NULL));
	CHECK((message.metadata.type == JSON_OBJECT) == (tokens != NULL));
	CHECK(message.metadata.type == JSON_OBJECT || message.metadata.type == JSON_ABSENT);
	CHECK(message.has_metadata == has_metadata);
	if (tokens != NULL)
		CHECK_STR(json_span(message.meta[METADATA_TOKENS]), tokens);
}

static void
test_read(void)
{
	check_read("{\"role\":\"user\"}", NULL, false);
	check_read("{\"role\":\"user\",\"metadata\":\"note\"}", NULL, true);
	check_read("{\"role\":\"user\",\"_metadata\":[{\"tokens\":1}]}", NULL, true);
	check_read("{\"role\":\"user\",\"metadata\":{\"tokens\":1},\"_metadata\":{\"tokens\":2}}",
	    "1", true);
	check_read(
	    "{\"role\":\"user\",\"metadata\":\"note\",\"_metadata\":{\"tokens\":2}}", "2", true);
}

int
main(void)
{
	message_init();
	test_set();
	test_read();
	arena_free(&padded_arena);
	return unit_end();
}
