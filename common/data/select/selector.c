#include "data/select/selector.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/text/distance.h"

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

/* Whether the term that begins there has a pattern. A pattern may hold commas, so it is the last
 * term. */
static bool
is_pattern(const char *term)
{
	return term[strcspn(term, "=<>~,")] == '~';
}

bool
selector_has_pattern(const char *text)
{
	while (!is_pattern(text)) {
		text += strcspn(text, ",");
		if (*text++ == '\0')
			return false;
	}
	return true;
}

struct selector *
selector_parse(const char *text, struct selector_error *error)
{
	struct selector *selector = mem_alloc(1, sizeof *selector);
	const char *start = text;

	*selector = (struct selector){.count = 0};
	for (;;) {
		size_t len = is_pattern(text) ? strlen(text) : strcspn(text, ",");

		LIST_ROOM(selector->term, selector->count, selector->cap);
		if (!term_parse(
			&selector->term[selector->count++], text, len, &error->message, &error->at))
			break;
		if (text[len] == '\0')
			return selector;
		text += len + 1;
	}
	error->at += (size_t)(text - start);
	selector_free(selector);
	return NULL;
}

static enum term_needs
most_needs(const struct selector *selector)
{
	enum term_needs most = TERM_MESSAGE;

	for (unsigned i = 0; i < selector->count; i++)
		if (term_needs(&selector->term[i]) > most)
			most = term_needs(&selector->term[i]);
	return most;
}

bool
selector_needs_session(const struct selector *selector)
{
	return most_needs(selector) > TERM_MESSAGE;
}

bool
selector_needs_tokens(const struct selector *selector)
{
	return most_needs(selector) == TERM_TOKENS;
}

/* Asks the term; message is where the message of the entry is read to, once. */
static enum term_answer
ask(const struct term *term, struct term_candidate *candidate, struct message *message)
{
	enum term_answer answer;

	if (term_needs(term) == TERM_MESSAGE && candidate->message == NULL) {
		answer = term_glance(term, candidate->entry);
		if (answer != TERM_UNKNOWN)
			return answer;
		entry_parse(candidate->entry, message);
		candidate->message = message;
	}
	return term_ask(term, candidate);
}

enum term_answer
selector_ask(const struct selector *selector, struct session *t, const struct entry *entry)
{
	struct term_candidate candidate = {t, entry, NULL};
	enum term_answer answer = TERM_YES;
	struct message message;

	if (entry->kind != RECORD_MESSAGE)
		return TERM_NO;
	for (unsigned i = 0; i < selector->count; i++) {
		switch (ask(&selector->term[i], &candidate, &message)) {
		case TERM_NO:
			return TERM_NO;
		case TERM_UNKNOWN:
			answer = TERM_UNKNOWN;
			break;
		case TERM_YES:
			break;
		}
	}
	return answer;
}

bool
selector_matches(const struct selector *selector, struct session *t, const struct entry *entry)
{
	return selector_ask(selector, t, entry) == TERM_YES;
}

bool
selector_matches_message(const struct selector *selector, const struct message *message)
{
	const struct term_candidate candidate = {NULL, NULL, message};

	for (unsigned i = 0; i < selector->count; i++)
		if (term_ask(&selector->term[i], &candidate) != TERM_YES)
			return false;
	return message->kind == RECORD_MESSAGE;
}

/* The common value for which the term's value may be a typing error; or an empty one. */
static struct str
find_slip(const struct term *term)
{
	struct str value, own, near = STR("");

	if (term->type->common == NULL)
		return near;
	own = str_from(term->value);
	for (size_t i = 0; (value = term->type->common(i)).len > 0; i++) {
		if (str_eq(value, own))
			return STR("");
		if (near.len == 0 && distance_is_slip(own, value))
			near = value;
	}
	return near;
}

void
selector_write_slips(const struct selector *selector, struct buf *text)
{
	for (unsigned i = 0; i < selector->count; i++) {
		const struct term *term = &selector->term[i];
		struct str near = find_slip(term);

		if (near.len > 0)
			buf_add_fmt(text, "; '%s=%s', did you mean '%s=%.*s'?", term->type->name,
			    term->value, term->type->name, STR_ARG(near));
	}
}
