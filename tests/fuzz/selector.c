/*
 * Fuzzes selectors: the first line is a selector, the others are the session that it selects from.
 * A term and its negation must disagree about every message.
 */

#include "data/select/selector.h"

#include "data/session/session_builder.h"
#include "held.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static struct selector *
parse(const char *text)
{
	struct selector_error error = {BUF_INIT, 0};
	struct selector *selector = selector_parse(text, &error);

	if ((selector == NULL) != (error.message.len > 0) || error.at > strlen(text))
		abort();
	buf_free(&error.message);
	return selector;
}

static void
ask(const char *text, bool is_one_term, struct session *session)
{
	struct selector *selector = parse(text + 1), *other = parse(text);

	if (is_one_term && (selector == NULL) != (other == NULL))
		abort();
	for (uint32_t i = 0; selector != NULL && other != NULL && i < session->count; i++) {
		const struct entry *entry = &session->entry[i];

		if (entry->kind == RECORD_MESSAGE &&
		    selector_matches(selector, session, entry) ==
			selector_matches(other, session, entry) &&
		    is_one_term)
			abort();
	}
	selector_free(selector);
	selector_free(other);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	const char *lf = len > 0 ? memchr(bytes, '\n', len) : NULL;
	size_t line = lf != NULL ? (size_t)(lf - (const char *)bytes) : len;
	struct session session;
	char text[256] = "!";

	if (line > sizeof text - 2 || memchr(bytes, '\0', line) != NULL)
		return 0;
	memcpy(text + 1, bytes, line);
	message_init();
	held_open(&session, CURRENT_AUTO,
	    str_of((const char *)bytes + line + (lf != NULL), len - line - (lf != NULL)));
	session_end(&session);
	ask(text, text[1] != '!' && strchr(text, ',') == NULL, &session);
	held_close(&session);
	return 0;
}
