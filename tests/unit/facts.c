/* The facts of an artifact: places, ranges of them, and their length before they are written. */

#include "policy/facts/facts_text.h"

#include "data/change.h"
#include "data/session/session_builder.h"
#include "json_padded.h"
#include "policy/digest/section.h"
#include "unit.h"

enum { MESSAGES = 40 };

static struct session t;

static void
hold(void)
{
	session_init(&t);
	for (unsigned i = 0; i < MESSAGES; i++) {
		struct str text = padded("{\"role\":\"user\",\"content\":\"u\"}\n");
		struct line line = {.raw = text, .text = str_of(text.ptr, text.len - 1)};
		struct message message;

		message_parse(&message, line.text);
		session_add(&t, &line, &message);
	}
	session_end(&t);
}

/* The length of what section_write leaves out, by writing all of it. */
static size_t
written_len(const struct facts *facts, struct buf *text)
{
	static const struct gather gather;
	struct json_writer w;
	size_t empty;

	for (int measured = 1; measured >= 0; measured--) {
		empty = text->len;
		buf_reset(text);
		json_writer_init(&w, text);
		json_open(&w, '{');
		section_write(facts, &gather, measured, &w);
		json_name(&w, STR("covers"));
		if (measured)
			json_put_raw(&w, STR("[]"));
		else
			places_write(&facts->places, &w);
		json_close(&w);
	}
	return text->len - empty;
}

/* Covers every message in an order made by chance; the length is known after each. */
static void
test_covers(const char *from, uint32_t step, const char *all)
{
	static const struct change_rule rule = {.name = STR_INIT("r")};
	struct buf text = BUF_INIT, expected = BUF_INIT;
	struct facts facts;
	struct attempts attempts;

	hold();
	attempts_find(&attempts, &t);
	section_open(&facts, NULL, &attempts);
	section_read(&facts, parsed(from));
	places_begin(&facts.places, &t, NONE);
	CHECK(section_len(&facts) == written_len(&facts, &text));
	for (uint32_t i = 0; i < MESSAGES; i++) {
		change_drop(&t, i * step % MESSAGES, &rule);
		section_add(&facts, &t, i * step % MESSAGES);
		CHECK(section_len(&facts) == written_len(&facts, &text));
	}
	buf_add_fmt(&expected,
	    "{\"files_read\":[],\"files_modified\":[],\"unresolved\":[],\"covers\":%s}", all);
	CHECK_STR(buf_str(&text), (buf_pad(&expected), expected.ptr));
	buf_free(&text);
	buf_free(&expected);
	section_close(&facts);
	attempts_free(&attempts);
	session_free(&t);
}

/* The lists keep all things, the newest at the end; the text names what it has room for. */
static void
test_lists(void)
{
	struct buf text = BUF_INIT;
	struct facts facts;

	section_open(&facts, NULL, NULL);
	section_read(&facts,
	    parsed("{\"files_read\":[\"a\",\"b\\n\",\"\",7,\"a\",\"c\"],\"files_modified\":[\"d\","
		   "\"e\"],"
		   "\"unresolved\":[\"it broke\",{\"n\":1},\"it broke\"]}"));
	CHECK(section_len(&facts) == written_len(&facts, &text));
	CHECK_STR(text,
	    "{\"files_read\":[\"b\\n\",\"a\",\"c\"],\"files_modified\":[\"d\",\"e\"],"
	    "\"unresolved\":[{\"n\":1},\"it broke\"],\"covers\":[]}");
	buf_reset(&text);
	facts_text_write(&facts, 1000, 1000, &text);
	CHECK_STR(text,
	    "\nFiles read: \"b\\n\", a, c\nFiles modified: d, e\nUnresolved: {\"n\":1}, it broke");
	buf_reset(&text);
	facts_text_write(&facts, 28, 28, &text);
	CHECK_STR(text,
	    "\nFiles read: c and 2 more\nFiles modified: d, e\nUnresolved: {\"n\":1}, it broke");
	buf_reset(&text);
	facts_text_write(&facts, 13, 13, &text);
	CHECK_STR(text,
	    "\nFiles read: 3 more\nFiles modified: e and 1 more\nUnresolved: it broke and 1 more");
	buf_reset(&text);
	facts_text_write(&facts, 0, 0, &text);
	CHECK_STR(text, "");
	buf_free(&text);
	section_close(&facts);
}

/* Attempts are summed by call, the newest last. */
static void
test_tried(void)
{
	struct buf text = BUF_INIT;
	struct facts facts;

	section_open(&facts, NULL, NULL);
	section_read(&facts,
	    parsed("{\"attempts\":[{\"call\":\"bash make\",\"count\":9,\"outcome\":\"error\"},"
		   "{\"call\":\"bash a, b\",\"count\":2,\"outcome\":\"no result\"},"
		   "{\"call\":\"edit a.c\",\"count\":1,\"outcome\":\"what?\"},"
		   "{\"call\":\"edit b.c\",\"count\":7,\"outcome\":\"ok\"},"
		   "{\"call\":\"bash make\",\"count\":1,\"outcome\":\"error\",\"place\":1312},"
		   "{\"call\":\"none\",\"count\":0},{\"call\":\"none\",\"count\":-1},{\"call\":7,"
		   "\"count\":1},7]}"));
	CHECK(section_len(&facts) == written_len(&facts, &text));
	CHECK_STR(text,
	    "{\"files_read\":[],\"files_modified\":[],\"unresolved\":[],\"attempts\":["
	    "{\"call\":\"bash a, b\",\"count\":2,\"outcome\":\"no result\"},"
	    "{\"call\":\"edit a.c\",\"count\":1,\"outcome\":\"error\"},"
	    "{\"call\":\"edit b.c\",\"count\":7,\"outcome\":\"ok\"},"
	    "{\"call\":\"bash "
	    "make\",\"count\":10,\"outcome\":\"error\",\"place\":1312}],\"covers\":[]}");
	buf_reset(&text);
	facts_text_write(&facts, 400, 400, &text);
	CHECK_STR(text,
	    "\nAttempts: 2 of \"bash a, b\" (the last has no result), "
	    "10 of bash make (the last failed, message 1,312)");
	buf_reset(&text);
	facts_text_write(&facts, 55, 55, &text);
	CHECK_STR(text, "\nAttempts: 10 of bash make (the last failed, message 1,312) and 1 more");
	buf_reset(&text);
	facts_text_write(&facts, 34, 34, &text);
	CHECK_STR(text, "\nAttempts: 2 more");
	buf_free(&text);
	section_close(&facts);
}

int
main(void)
{
	message_init();
	test_covers("{}", 7, "[[1,40]]");
	test_covers("{}", 39, "[[1,40]]");
	test_covers("{\"covers\":[[1,3],[6,8],[9,9],[99,120]]}", 7, "[[1,47],[99,120]]");
	test_covers("{\"covers\":[[2,95],[135,140],[142,150]]}", 13, "[[1,140],[142,150]]");
	test_covers("{\"covers\":[[5,4],[3,3],[2,2]]}", 3, "[[1,41]]");
	test_lists();
	test_tried();
	arena_free(&padded_arena);
	return unit_end();
}
