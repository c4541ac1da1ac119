/* The facts of an artifact: places, ranges of them, and their length before they are written. */

#include "policy/compact/facts.h"

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

static size_t
covers_len(const struct facts *facts, struct buf *text)
{
	struct json_writer w;

	buf_reset(text);
	json_writer_init(&w, text);
	json_open(&w, '{');
	facts_write_covers(facts, &w);
	json_close(&w);
	return text->len - strlen("{\"covers\":[]}");
}

/* Covers every message in an order made by chance; the length is known after each. */
static void
test_covers(const char *from, uint32_t step, const char *all)
{
	static const struct change_rule rule = {.name = STR_INIT("r")};
	struct facts facts = FACTS_INIT;
	struct buf text = BUF_INIT;

	hold();
	facts_add_artifact(&facts, parsed(from));
	facts_begin(&facts, &t, NONE);
	CHECK(facts.covers_len == covers_len(&facts, &text));
	for (uint32_t i = 0; i < MESSAGES; i++) {
		change_drop(&t, i * step % MESSAGES, &rule);
		facts_add(&facts, &t, i * step % MESSAGES);
		CHECK(facts.covers_len == covers_len(&facts, &text));
	}
	CHECK_STR(buf_str(&text), all);
	buf_free(&text);
	facts_free(&facts);
	session_free(&t);
}

int
main(void)
{
	message_init();
	test_covers("{}", 7, "{\"covers\":[[1,40]]}");
	test_covers("{}", 39, "{\"covers\":[[1,40]]}");
	test_covers(
	    "{\"covers\":[[1,3],[6,8],[9,9],[99,120]]}", 7, "{\"covers\":[[1,47],[99,120]]}");
	test_covers(
	    "{\"covers\":[[2,95],[135,140],[142,150]]}", 13, "{\"covers\":[[1,140],[142,150]]}");
	test_covers("{\"covers\":[[5,4],[3,3],[2,2]]}", 3, "{\"covers\":[[1,41]]}");
	arena_free(&padded_arena);
	return unit_end();
}
