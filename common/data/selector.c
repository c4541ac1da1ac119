#include "data/selector.h"

#include <stdlib.h>

#include "base/list.h"
#include "data/term.h"

struct selector {
	struct term *term;
	unsigned count;
	unsigned cap;
};

void
selector_free(struct selector *selector)
{
	if (selector == NULL)
		return;
	for (unsigned i = 0; i < selector->count; i++)
		term_free(&selector->term[i]);
	free(selector->term);
	free(selector);
}

struct selector *
selector_parse(const char *text, struct buf *message)
{
	struct selector *selector = mem_alloc(1, sizeof *selector);

	*selector = (struct selector){.count = 0};
	for (;;) {
		/* A pattern may hold commas, so it is the last term. */
		bool is_pattern = text[strcspn(text, "=<>~,")] == '~';
		size_t len = is_pattern ? strlen(text) : strcspn(text, ",");

		LIST_ROOM(selector->term, selector->count, selector->cap);
		if (!term_parse(&selector->term[selector->count++], text, len, message))
			break;
		if (text[len] == '\0')
			return selector;
		text += len + 1;
	}
	selector_free(selector);
	return NULL;
}

bool
selector_needs_session(const struct selector *selector)
{
	for (unsigned i = 0; i < selector->count; i++)
		if (term_needs_session(&selector->term[i]))
			return true;
	return false;
}

bool
selector_needs_tokens(const struct selector *selector)
{
	for (unsigned i = 0; i < selector->count; i++)
		if (term_needs_tokens(&selector->term[i]))
			return true;
	return false;
}

bool
selector_matches(const struct selector *selector, struct session *t, const struct entry *entry)
{
	struct term_candidate candidate = {t, entry, NULL};
	struct message message;

	if (entry->kind != RECORD_MESSAGE)
		return false;
	for (unsigned i = 0; i < selector->count; i++) {
		const struct term *term = &selector->term[i];

		if (!term_needs_session(term) && candidate.message == NULL) {
			entry_parse(entry, &message);
			candidate.message = &message;
		}
		if (!term_matches(term, &candidate))
			return false;
	}
	return true;
}

bool
selector_matches_message(const struct selector *selector, const struct message *message)
{
	const struct term_candidate candidate = {NULL, NULL, message};

	for (unsigned i = 0; i < selector->count; i++)
		if (!term_matches(&selector->term[i], &candidate))
			return false;
	return message->kind == RECORD_MESSAGE;
}
