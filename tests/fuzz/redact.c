/*
 * Fuzzes redaction: the bytes are a JSON text, or else the text of a string, first a name, then a
 * value. What redaction writes must be valid JSON, and in it nothing more must be found; unless the
 * text has control characters: a string may be no JSON only for one in a secret, and JSON when that
 * is a mark.
 */

#include "base/text/utf8.h"
#include "json/scan.h"
#include "json/write.h"
#include "policy/redact/redact.h"

#include "../unit/json_padded.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static bool
is_json(struct str text)
{
	struct json_scan scan;

	return json_scan(text, NULL, &scan);
}

/* Redacts text, which is valid, into written. Returns whether something was found. */
static bool
redact(struct redact *redact, struct str text, struct buf *written)
{
	struct json_edit edit;
	bool is_found;

	json_edit_init(&edit, text);
	is_found = redact_record(redact, text, 1, &edit);
	buf_reset(written);
	json_edit_write(&edit, written);
	json_edit_free(&edit);
	buf_pad(written);
	if (is_found == str_eq(buf_str(written), text) || !is_json(buf_str(written)))
		abort();
	return is_found;
}

static bool
has_control(struct str text)
{
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.ptr[i] < ' ')
			return true;
	return false;
}

static void
check(struct redact *state, struct str text, bool is_settled)
{
	struct str copy = padded_at(text, 0, '\0');
	struct buf once = BUF_INIT, twice = BUF_INIT;

	if (is_json(copy) && redact(state, copy, &once) && redact(state, buf_str(&once), &twice) &&
	    is_settled)
		abort();
	buf_free(&once);
	buf_free(&twice);
	arena_free(&padded_arena);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static struct redact state;
	struct str text = str_of((const char *)bytes, len);
	struct buf json = BUF_INIT;

	if (state.state == NULL)
		redact_init(&state, RULE_SECRETS | RULE_PII);
	check(&state, text, memmem(bytes, len, "\\u00", 4) == NULL);
	if (utf8_valid(text) == len) {
		buf_add_char(&json, '[');
		json_write_string(&json, text);
		buf_add_str(&json, STR(",{"));
		json_write_string(&json, text);
		buf_add_str(&json, STR(":1,\"password\":"));
		json_write_string(&json, text);
		buf_add_str(&json, STR("}]"));
		check(&state, buf_str(&json), !has_control(text));
	}
	buf_free(&json);
	return 0;
}
