/* The proof at the end of a compaction: what a transform broke is said with its line and reason. */

#include "policy/filter/invariants.h"

#include "data/session/session_builder.h"
#include "json_padded.h"
#include "unit.h"

static struct session t;

static void
hold(void)
{
	static const char *const lines[] = {"{\"role\":\"user\",\"content\":\"Go.\"}\n",
	    "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c\",\"name\":\"f\"}]}\n",
	    "{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"x\"}\n",
	    "{\"role\":\"assistant\",\"content\":\"Done.\"}\n"};

	session_init(&t);
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		struct str text = padded(lines[i]);
		struct line line = {.raw = text, .text = str_of(text.ptr, text.len - 1)};
		struct message message;

		message_parse(&message, line.text);
		session_add(&t, &line, &message);
	}
	session_end(&t);
}

/* Drops the entry, or changes it into the text, and checks what is said of it. */
static void
test(uint32_t entry, const char *text, enum keep keep, const char *said)
{
	static const struct change_rule rule = {.name = STR_INIT("r")};
	uint8_t keeps[4] = {KEEP_NOT, KEEP_NOT, KEEP_NOT, KEEP_NOT};
	struct fault fault = FAULT_INIT;
	struct compaction_options options = {.fault = &fault};
	struct compaction c = {.session = &t, .options = &options, .keep = keeps, .artifact = NONE};

	hold();
	keeps[entry] = (uint8_t)keep;
	if (text == NULL)
		change_drop(&t, entry, &rule);
	else
		change_text(&t, entry, &rule, str_from(text));
	c.booked = t.change_count;
	invariants_check(&c);
	CHECK(fault.status == (said[0] != '\0' ? STATUS_INVARIANT : STATUS_OK));
	CHECK_STR(buf_str(&fault.text), said);
	fault_free(&fault);
	session_free(&t);
}

int
main(void)
{
	message_init();
	test(3, NULL, KEEP_NOT, "");
	test(3, NULL, KEEP_WINDOW,
	    "nothing was written: line 4 was dropped and must stay, recency window");
	test(3, "{\"role\":\"assistant\",\"content\":\"D\"}", KEEP_WINDOW,
	    "nothing was written: line 4 was changed and must stay as it is, recency window");
	test(3, "{\"role\":\"assistant\",\"content\":\"D\"}", KEEP_RECENT, "");
	test(1, NULL, KEEP_NOT,
	    "nothing was written: line 3 has another role, call or metadata than before");
	return unit_end();
}
