#include "data/selectors.h"

#include <stdlib.h>

#include "base/list.h"

bool
selectors_add(struct selectors *selectors, const char *text, struct buf *message)
{
	struct selector *selector = selector_parse(text, message);

	if (selector == NULL)
		return false;
	LIST_ROOM(selectors->list, selectors->count, selectors->cap);
	selectors->list[selectors->count++] = selector;
	selectors->needs_tokens |= selector_needs_tokens(selector);
	return true;
}

bool
selectors_match(
    const struct selectors *selectors, struct session *session, const struct entry *entry)
{
	for (unsigned i = 0; i < selectors->count; i++)
		if (selector_matches(selectors->list[i], session, entry))
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
