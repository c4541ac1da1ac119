#include "data/select/selectors.h"

#include <stdlib.h>

#include "base/list.h"

bool
selectors_add(struct selectors *selectors, const char *text, struct selector_error *error)
{
	struct selector *selector = selector_parse(text, error);

	if (selector == NULL)
		return false;
	LIST_ADD(selectors->list, selectors->count, selectors->cap, selector);
	selectors->needs_tokens |= selector_needs_tokens(selector);
	selectors->needs_session |= selector_needs_session(selector);
	return true;
}

enum term_answer
selectors_ask(const struct selectors *selectors, struct session *session, const struct entry *entry)
{
	enum term_answer answer = TERM_NO;

	for (unsigned i = 0; i < selectors->count && answer != TERM_YES; i++) {
		enum term_answer one = selector_ask(selectors->list[i], session, entry);

		if (one != TERM_NO)
			answer = one;
	}
	return answer;
}

bool
selectors_match_message(const struct selectors *selectors, const struct message *message)
{
	for (unsigned i = 0; i < selectors->count; i++)
		if (selector_matches_message(selectors->list[i], message))
			return true;
	return false;
}

void
selectors_free(struct selectors *selectors)
{
	for (unsigned i = 0; i < selectors->count; i++)
		selector_free(selectors->list[i]);
	free(selectors->list);
}
