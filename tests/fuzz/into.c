/*
 * Fuzzes the way back into an agent's session file: the first byte picks the agent, the second how
 * many bytes behind the file were appended since it was read, the next eight are what a filter does
 * to the messages, one after the other, and the rest is the file. A log of which nothing was
 * changed must give the file; of a file of JSON lines, the new one must be JSON lines; and what is
 * read of that and goes back into it must give it again.
 */

#include <stdlib.h>

#include "data/message/message.h"
#include "dialects/into/into.h"
#include "face/input/document.h"
#include "json/edit.h"
#include "json/scan.h"

enum { STEPS = 8, HEAD = 2 + STEPS };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static const char *const agents[] = {"claude-code", "codex", "pi", "gemini-cli", "opencode"};
static const char *const texts[] = {"\"\"", "\"short\"",
    "\"so long that what repeats it elsewhere is known again\"",
    "[{\"type\":\"text\",\"text\":\"a\"}]", "null"};
static const char *const others[] = {"{\"role\":\"user\",\"content\":\"new\"}",
    ("{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"n\",\"type\":\"function\","
     "\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}"),
    "{\"role\":\"tool\",\"tool_call_id\":\"n\",\"content\":\"new\"}",
    "{\"role\":\"system\",\"content\":\"new\"}"};

/* Whether all lines but blank ones are JSON. */
static bool
is_lines(struct str text)
{
	struct json_scan scan;

	while (text.len > 0) {
		struct str line = str_trim(str_take_line(&text));

		if (line.len > 0 && !json_scan(line, NULL, &scan))
			return false;
	}
	return true;
}

/* Gives the log the message with other words. */
static void
edit(struct into *into, struct str text, uint8_t step)
{
	struct message message;
	struct json_edit edit;
	struct buf changed = BUF_INIT;

	message_parse(&message, text);
	json_edit_init(&edit, text);
	if (message.content.type != JSON_ABSENT)
		json_edit_replace(&edit, json_span(message.content),
		    str_from(texts[step % (sizeof texts / sizeof texts[0])]));
	json_edit_write(&edit, &changed);
	into_take(into, buf_str(&changed));
	json_edit_free(&edit);
	buf_free(&changed);
}

/* Gives the log what the steps make of the messages of the file; NULL: as they are. */
static void
filter(struct into *into, const uint8_t *steps)
{
	uint32_t late = INTO_NONE;

	for (uint32_t i = 0; i < into->own_count; i++) {
		uint8_t step = steps != NULL ? steps[i % STEPS] : 0;

		if (step % 6 == 1)
			continue;
		if (step % 6 == 2)
			into_take(
			    into, str_from(others[step / 6 % (sizeof others / sizeof others[0])]));
		if (step % 6 == 3)
			edit(into, into->own[i].text, step / 6);
		else if (step % 6 == 4 && late == INTO_NONE)
			late = i;
		else
			into_take(into, into->own[i].text);
	}
	if (late != INTO_NONE)
		into_take(into, into->own[late].text);
}

/* Puts the log back into the file, which has appended bytes behind those that were read. Returns
 * false when it is refused. */
static bool
put(const struct session_layout *format, struct str file, size_t appended, const uint8_t *steps,
    struct buf *to)
{
	struct buf unfolded = BUF_INIT;
	struct fault fault = {.status = STATUS_OK};
	bool is_document =
	    appended == 0 && !str_is_one_line(str_trim(file)) && document_unfold(file, &unfolded);
	struct str text = is_document ? buf_str(&unfolded) : file;
	struct into into;
	bool is_written;

	buf_reset(to);
	into_init(&into, format, text, text.len - appended, is_document, &fault);
	is_written = into_read(&into, "file", false, false);
	if (is_written)
		filter(&into, steps);
	is_written = is_written && into_end(&into, file, to);
	buf_pad(to);
	into_free(&into);
	buf_free(&unfolded);
	fault_free(&fault);
	return is_written;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	const struct session_layout *format;
	struct buf file = BUF_INIT, first = BUF_INIT, second = BUF_INIT;
	struct str text;
	size_t appended;

	if (len <= HEAD)
		return 0;
	message_init();
	format = session_layout_find(str_from(agents[bytes[0] % 5]));
	buf_add(&file, (const char *)bytes + HEAD, len - HEAD);
	buf_pad(&file);
	text = buf_str(&file);
	appended = bytes[1] < text.len ? bytes[1] : 0;
	if (appended > 0 && text.ptr[text.len - appended - 1] != '\n')
		appended = 0;
	if (put(format, text, appended, NULL, &first) && !str_eq(buf_str(&first), text))
		abort();
	if (put(format, text, appended, bytes + 2, &first) && is_lines(text)) {
		if (!is_lines(buf_str(&first)))
			abort();
		if (put(format, buf_str(&first), 0, NULL, &second) &&
		    !str_eq(buf_str(&first), buf_str(&second)))
			abort();
	}
	buf_free(&file);
	buf_free(&first);
	buf_free(&second);
	return 0;
}
