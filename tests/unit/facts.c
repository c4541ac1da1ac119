/* The facts of an artifact: places, ranges of them, and their length before they are written. */

#include "policy/facts/facts_text.h"

#include "data/change.h"
#include "json_padded.h"
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

/* The length of what facts_write_lists leaves out, by writing all of it. */
static size_t
written_len(const struct facts *facts, struct buf *text)
{
	struct json_writer w;
	size_t empty;

	for (int measured = 1; measured >= 0; measured--) {
		empty = text->len;
		buf_reset(text);
		json_writer_init(&w, text);
		json_open(&w, '{');
		facts_write_lists(facts, measured, &w);
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
	facts_open(&facts);
	facts_add_artifact(&facts, parsed(from));
	places_begin(&facts.places, &t, NONE);
	CHECK(facts_len(&facts) == written_len(&facts, &text));
	for (uint32_t i = 0; i < MESSAGES; i++) {
		change_drop(&t, i * step % MESSAGES, &rule);
		facts_add(&facts, &t, &attempts, i * step % MESSAGES);
		CHECK(facts_len(&facts) == written_len(&facts, &text));
	}
	buf_add_fmt(&expected,
	    "{\"files_read\":[],\"files_modified\":[],\"unresolved\":[],\"covers\":%s}", all);
	CHECK_STR(buf_str(&text), (buf_pad(&expected), expected.ptr));
	buf_free(&text);
	buf_free(&expected);
	facts_close(&facts);
	attempts_free(&attempts);
	session_free(&t);
}

/* The lists keep all things, the newest at the end; the text names what it has room for. */
static void
test_lists(void)
{
	struct buf text = BUF_INIT;
	struct facts facts;

	facts_open(&facts);
	facts_add_artifact(&facts,
	    parsed("{\"files_read\":[\"a\",\"b\\n\",\"\",7,\"a\",\"c\"],\"files_modified\":[\"d\","
		   "\"e\"],"
		   "\"unresolved\":[\"it broke\",{\"n\":1},\"it broke\"]}"));
	CHECK(facts_len(&facts) == written_len(&facts, &text));
	CHECK_STR(text,
	    "{\"files_read\":[\"b\\n\",\"a\",\"c\"],\"files_modified\":[\"d\",\"e\"],"
	    "\"unresolved\":[{\"n\":1},\"it broke\"],\"covers\":[]}");
	buf_reset(&text);
	facts_text_write(&facts, 1000, &text);
	CHECK_STR(text,
	    "\nFiles read: \"b\\n\", a, c\nFiles modified: d, e\nUnresolved: {\"n\":1}, it broke");
	buf_reset(&text);
	facts_text_write(&facts, 28, &text);
	CHECK_STR(text,
	    "\nFiles read: c and 2 more\nFiles modified: d, e\nUnresolved: {\"n\":1}, it broke");
	buf_reset(&text);
	facts_text_write(&facts, 13, &text);
	CHECK_STR(text,
	    "\nFiles read: 3 more\nFiles modified: e and 1 more\nUnresolved: it broke and 1 more");
	buf_reset(&text);
	facts_text_write(&facts, 0, &text);
	CHECK_STR(text, "");
	buf_free(&text);
	facts_close(&facts);
}

/* Attempts are summed by call. */
static void
test_tried(void)
{
	struct buf text = BUF_INIT;
	struct facts facts;

	facts_open(&facts);
	facts_add_artifact(&facts,
	    parsed("{\"attempts\":[{\"call\":\"bash make\",\"count\":9,\"outcome\":\"error\"},"
		   "{\"call\":\"bash a, b\",\"count\":2,\"outcome\":\"no result\"},"
		   "{\"call\":\"edit a.c\",\"count\":1,\"outcome\":\"what?\"},"
		   "{\"call\":\"edit b.c\",\"count\":7,\"outcome\":\"ok\"},"
		   "{\"call\":\"bash make\",\"count\":1,\"outcome\":\"error\"},"
		   "{\"call\":\"none\",\"count\":0},{\"call\":\"none\",\"count\":-1},{\"call\":7,"
		   "\"count\":1},7]}"));
	CHECK(facts_len(&facts) == written_len(&facts, &text));
	CHECK_STR(text,
	    "{\"files_read\":[],\"files_modified\":[],\"unresolved\":[],\"attempts\":["
	    "{\"call\":\"bash make\",\"count\":10,\"outcome\":\"error\"},"
	    "{\"call\":\"bash a, b\",\"count\":2,\"outcome\":\"no result\"},"
	    "{\"call\":\"edit a.c\",\"count\":1,\"outcome\":\"error\"},"
	    "{\"call\":\"edit b.c\",\"count\":7,\"outcome\":\"ok\"}],\"covers\":[]}");
	buf_reset(&text);
	facts_text_write(&facts, 400, &text);
	CHECK_STR(text,
	    "\nAttempts: 10 of bash make (the last failed), "
	    "2 of \"bash a, b\" (the last has no result)");
	buf_reset(&text);
	facts_text_write(&facts, 50, &text);
	CHECK_STR(text, "\nAttempts: 2 of \"bash a, b\" (the last has no result)");
	buf_reset(&text);
	facts_text_write(&facts, 40, &text);
	CHECK_STR(text, "");
	buf_free(&text);
	facts_close(&facts);
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
