/* Parts of a content: their kinds, and which of their members are texts for whom. */

#include "data/message/part.h"

#include "data/message/texts.h"
#include "json/write.h"

#include "json_padded.h"
#include "unit.h"

/* The kind, whether it is blank, and whether it is media. */
static void
check_kind(const char *text, enum part_kind kind, bool blank, bool media)
{
	struct part part;

	part_read(parsed(text), &part);
	if (!CHECK(part.kind == kind) || !CHECK(part_is_blank(&part) == blank) ||
	    !CHECK(part_is_media(&part) == media))
		printf("%s: kind %d\n", text, part.kind);
}

static void
test_kinds(void)
{
	check_kind("\"a\"", PART_TEXT, false, false);
	check_kind("\" \\n\"", PART_TEXT, true, false);
	check_kind("null", PART_OTHER, true, false);
	check_kind("{}", PART_OTHER, false, false);
	check_kind("{\"type\":7}", PART_OTHER, false, false);
	check_kind("{\"type\":\"sonar\"}", PART_OTHER, false, false);
	check_kind("{\"type\":\"text\",\"text\":\"a\"}", PART_TEXT, false, false);
	check_kind("{\"type\":\"t\\u0065xt\",\"text\":\" \"}", PART_TEXT, true, false);
	check_kind("{\"type\":\"text\",\"value\":\" \"}", PART_TEXT, true, false);
	check_kind("{\"type\":\"text\",\"value\":\"a\"}", PART_TEXT, false, false);
	check_kind("{\"type\":\"text\",\"value\":7}", PART_TEXT, false, false);
	check_kind("{\"type\":\"input_text\",\"text\":\"\"}", PART_TEXT, false, false);
	check_kind("{\"type\":\"output_text\",\"text\":\"\"}", PART_TEXT, false, false);
	check_kind("{\"type\":\"thinking\",\"thinking\":\"a\"}", PART_THINKING, true, false);
	check_kind("{\"type\":\"redacted_thinking\",\"data\":\"a\"}", PART_REDACTED, true, false);
	check_kind("{\"type\":\"reasoning\",\"text\":\"a\"}", PART_REASONING, true, false);
	check_kind("{\"type\":\"refusal\",\"refusal\":\"a\"}", PART_REFUSAL, false, false);
	check_kind("{\"type\":\"image\"}", PART_IMAGE, false, true);
	check_kind("{\"type\":\"image_url\"}", PART_IMAGE, false, true);
	check_kind("{\"type\":\"input_image\"}", PART_IMAGE, false, true);
	check_kind("{\"type\":\"audio\"}", PART_AUDIO, false, true);
	check_kind("{\"type\":\"input_audio\"}", PART_AUDIO, false, true);
	check_kind("{\"type\":\"file\"}", PART_FILE, false, true);
	check_kind("{\"type\":\"input_file\"}", PART_FILE, false, true);
	check_kind("{\"type\":\"document\"}", PART_FILE, false, true);
	check_kind("{\"type\":\"tool_use\"}", PART_CALL, false, false);
	check_kind("{\"type\":\"server_tool_use\"}", PART_CALL, false, false);
	check_kind("{\"type\":\"web_search_tool_result\"}", PART_RESULT, false, false);
	check_kind("{\"type\":\"tool_result\"}", PART_RESULT, false, false);
	/* Gemini's */
	check_kind("{\"text\":\"a\"}", PART_TEXT, false, false);
	check_kind("{\"text\":\"a\",\"thought\":true}", PART_REASONING, false, false);
	check_kind("{\"text\":\"a\",\"thought\":false}", PART_TEXT, false, false);
	check_kind("{\"functionCall\":{\"name\":\"a\"}}", PART_CALL, false, false);
	check_kind("{\"thoughtSignature\":\"s\",\"function_call\":{}}", PART_CALL, false, false);
	check_kind("{\"functionResponse\":{}}", PART_RESULT, false, false);
	check_kind("{\"inlineData\":{\"mimeType\":\"image/png\"}}", PART_IMAGE, false, false);
	check_kind("{\"inline_data\":{\"mime_type\":\"audio/wav\"}}", PART_AUDIO, false, false);
	check_kind("{\"fileData\":{\"mimeType\":\"text/csv\"}}", PART_FILE, false, false);
	check_kind("{\"inlineData\":{}}", PART_FILE, false, false);
}

/* The texts for a use, each as its kind's number and its JSON, one a line. */
static void
check_texts(const char *text, enum part_use use, const char *expected)
{
	struct buf buf = BUF_INIT;
	struct part part;
	struct part_text found;
	unsigned at = 0;

	part_read(parsed(text), &part);
	while (part_next_text(&part, use, &at, &found))
		buf_add_fmt(&buf, "%d %.*s\n", found.kind, STR_ARG(json_span(found.value)));
	CHECK(!part_next_text(&part, use, &at, &found));
	CHECK_STR(buf, expected);
	buf_free(&buf);
}

static void
test_texts(void)
{
	const char *all =
	    "{\"content\":\"c\",\"refusal\":\"r\",\"input\":{},\"name\":\"n\",\"text\":\"t\","
	    "\"thinking\":\"h\"}";
	const char *call = "{\"type\":\"tool_use\",\"name\":\"n\",\"input\":{\"a\":1}}";

	check_texts("\"a\"", PART_COUNTED, "0 \"a\"\n");
	check_texts("\"a\"", PART_SHOWN, "0 \"a\"\n");
	check_texts("\"a\"", PART_MATCHED, "0 \"a\"\n");
	check_texts("7", PART_COUNTED, "");
	check_texts(all, PART_COUNTED, "0 \"t\"\n1 \"h\"\n0 \"r\"\n0 \"c\"\n");
	check_texts(all, PART_SHOWN, "0 \"t\"\n");
	check_texts(all, PART_MATCHED, "0 \"t\"\n");
	check_texts(call, PART_COUNTED, "3 \"n\"\n4 {\"a\":1}\n");
	check_texts(call, PART_SHOWN, "");
	check_texts("{\"type\":\"tool_use\",\"name\":7,\"input\":null}", PART_COUNTED, "");
	check_texts("{\"type\":\"server_tool_use\",\"name\":\"n\",\"input\":{}}", PART_COUNTED,
	    "3 \"n\"\n4 {}\n");
	for (enum part_use use = PART_COUNTED; use <= PART_MATCHED; use *= 2) {
		check_texts("{\"type\":\"text\",\"value\":\"v\"}", use, "0 \"v\"\n");
		check_texts("{\"value\":\"v\",\"text\":\"t\",\"type\":\"text\"}", use, "0 \"t\"\n");
		check_texts("{\"type\":\"input_text\",\"value\":\"v\"}", use, "");
	}
	check_texts("{\"type\":\"image\",\"text\":\"t\"}", PART_COUNTED,
	    "5 {\"type\":\"image\",\"text\":\"t\"}\n");
	check_texts("{\"type\":\"image\",\"text\":\"t\"}", PART_SHOWN, "0 \"t\"\n");
	check_texts("{\"type\":\"input_audio\"}", PART_COUNTED, "6 {\"type\":\"input_audio\"}\n");
	check_texts("{\"type\":\"file\"}", PART_COUNTED, "7 {\"type\":\"file\"}\n");
	check_texts("{\"type\":\"file\",\"content\":\"c\"}", PART_COUNTED, "0 \"c\"\n");
	check_texts("{\"type\":\"image\",\"content\":\"c\"}", PART_COUNTED,
	    "5 {\"type\":\"image\",\"content\":\"c\"}\n");
	check_texts("{\"type\":\"document\",\"source\":{\"type\":\"text\",\"data\":\"d\"}}",
	    PART_COUNTED, "0 \"d\"\n");
}

static void
test_plain(void)
{
	struct part part;

	part_read(parsed("{\"type\":\"text\",\"text\":\"a\"}"), &part);
	CHECK_STR(json_span(part_plain_text(&part)), "\"a\"");
	part_read(parsed("{\"type\":\"text\",\"text\":7}"), &part);
	CHECK(part_plain_text(&part).type == JSON_ABSENT);
	part_read(parsed("{\"type\":\"input_text\",\"text\":\"a\"}"), &part);
	CHECK(part_plain_text(&part).type == JSON_ABSENT);
	part_read(parsed("{\"type\":\"tool_result\",\"content\":[\"a\"]}"), &part);
	CHECK_STR(json_span(part_nested(&part)), "[\"a\"]");
	part_read(parsed("{\"type\":\"tool_result\",\"content\":\"a\"}"), &part);
	CHECK(part_nested(&part).type == JSON_ABSENT);
	part_read(parsed("{\"type\":\"file\",\"content\":[\"a\"]}"), &part);
	CHECK(part_nested(&part).type == JSON_ABSENT);
}

static void
check_read(const char *text, const char *expected)
{
	struct buf buf = BUF_INIT;
	struct message message;

	message_parse(&message, padded(text));
	message_read_text(&message, &buf);
	CHECK_STR(buf, expected);
	CHECK(message_text_len(&message) == buf.len);
	buf_free(&buf);
}

static void
test_read(void)
{
	check_read("{\"role\":\"user\"}", "");
	check_read("{\"role\":\"user\",\"content\":\"a\\n\\u00e9\"}", "a\n\xc3\xa9");
	check_read("{\"role\":\"user\",\"content\":{\"text\":\"a\"}}", "{\"text\":\"a\"}");
	check_read("{\"role\":\"user\",\"content\":7}", "7");
	check_read(
	    "{\"role\":\"user\",\"content\":[\"\",\"a\",{\"type\":\"text\",\"text\":\"\\u00e9\"},"
	    "{\"type\":\"thinking\",\"thinking\":\"h\"},7,{\"text\":\"\"}]}",
	    "a\n\xc3\xa9\n");
}

static void
add_found(void *context, enum text_kind kind, struct json_value value)
{
	buf_add_fmt(context, "%d %.*s\n", kind, STR_ARG(json_span(value)));
}

/* All texts of a message, each as its kind's number and its JSON, one a line. */
static void
check_all(const char *text, const char *expected)
{
	struct buf buf = BUF_INIT;
	struct message message;

	message_parse(&message, padded(text));
	message_texts(&message, add_found, &buf);
	CHECK_STR(buf, expected);
	buf_free(&buf);
}

/* Eight levels of what a server's tool gave are looked into; what is deeper is JSON. */
static void
test_all(void)
{
	check_all("{\"role\":\"assistant\",\"content\":\"c\",\"reasoning_content\":\"h\","
		  "\"refusal\":\"r\",\"tool_calls\":[{\"name\":\"n\",\"args\":{}}]}",
	    "1 \"h\"\n0 \"c\"\n0 \"r\"\n3 \"n\"\n4 {}\n");
	check_all("{\"role\":\"assistant\",\"content\":[{\"type\":\"web_fetch_tool_result\","
		  "\"content\":[[[[[[[[\"seven\",[\"deep\"]]]]]]]]],\"id\":\"i\"}]}",
	    "0 \"seven\"\n4 [\"deep\"]\n");
}

static void
check_output(const char *role, const char *content, const char *expected)
{
	struct buf record = BUF_INIT, text = BUF_INIT;
	struct message message;

	buf_add_fmt(&record, "{\"role\":\"%s\",\"content\":", role);
	json_write_string(&record, str_from(content));
	buf_add_char(&record, '}');
	buf_add_char(&record, 0);
	message_parse(&message, padded(record.ptr));
	buf_add_char(&text, '>');
	message_read_output(&message, &text);
	CHECK_STR(text, expected);
	buf_free(&record);
	buf_free(&text);
}

#define ENDED "\",\"metadata\":{\"exit_code\":0,\"duration_seconds\":0.1}}"

/* Of a result, what its tool said; what only looks alike stays. */
static void
test_output(void)
{
	static const char *const plain[] = {"a.c\n", "", "{\"output\":\"a\"}",
	    "{\"output\":\"a\"}}", ("{\"output\":\"a" ENDED " x"), ("see {\"output\":\"a" ENDED),
	    "Output:\na.c\n", "Exit code: 1\nOutputs:\na", "Exit code: 1\n",
	    "Wall time: 2\n\nOutput:\na", "Warning: old\nExit code: 1\nOutput:\na"};

	for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
		check_output("tool", plain[i], plain[i]);
	check_output("tool", "{\"output\":\"a.c\\nb \\\"c\\\"\\n" ENDED, "a.c\nb \"c\"\n");
	check_output("tool", "{\"output\":\"" ENDED "\n", "");
	/* the output may say the same itself */
	check_output("tool",
	    "{\"output\":\"{\\\"output\\\":\\\"a\\\",\\\"metadata\\\":{\\\"exit_code\\\":1}}" ENDED,
	    "{\"output\":\"a\",\"metadata\":{\"exit_code\":1}}");
	check_output("tool",
	    "{\"output\":\"a\\nb\\\n[\xe2\x80\xa6 9 kB cut \xe2\x80\xa6]\nnc\\n" ENDED,
	    "a\nb\\\n[\xe2\x80\xa6 9 kB cut \xe2\x80\xa6]\nnc\n");
	check_output("tool",
	    "Exit code: 1\nWall time: 0.1 seconds\nTotal output lines: 2\nOutput:\na\n\nb\n",
	    "a\n\nb");
	check_output("tool",
	    "Chunk ID: 7\nWall time: 0.1 seconds\nProcess exited with code 0\n"
	    "Original token count: 2\nOutput:\n",
	    "");
	check_output(
	    "tool", "Wall time: 1 seconds\nProcess running with session ID 4\nOutput:\na", "a");
	check_output("user", "Exit code: 1\nOutput:\na", "Exit code: 1\nOutput:\na");
}

int
main(void)
{
	message_init();
	test_kinds();
	test_texts();
	test_plain();
	test_read();
	test_all();
	arena_free(&padded_arena);
	test_output();
	return unit_end();
}
