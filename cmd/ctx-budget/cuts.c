#include "cuts.h"

#include <stdlib.h>

#include "base/list.h"
#include "data/session/session_locks.h"

/* The last entry of the group that entry begins; NONE when the group is open or frozen. */
static uint32_t
group_end(const struct session *t, const struct entry *entry)
{
	const struct group *group = &t->group[entry->group];

	return session_is_open(t, group) || group->is_frozen ? NONE : group->last;
}

void
cuts_find(struct cuts *cuts, const struct session *t)
{
	uint64_t sum = 0, before = 0;
	uint32_t end = 0;
	bool first = true;

	for (uint32_t i = 0; i < t->count; i++)
		sum += t->entry[i].tokens;
	for (uint32_t i = 0; i < t->count; i++) {
		const struct entry *entry = &t->entry[i];

		if (!entry_is_in_thread(entry))
			continue;
		if (!first && end < i) {
			LIST_ADD(cuts->list, cuts->count, cuts->cap,
			    (struct cut){.line = i + 1,
				.turn = entry->turn,
				.execution = t->execution[entry->execution].id,
				.before = before,
				.after = sum - before});
		}
		first = false;
		if (entry->has_calls && group_end(t, entry) > end)
			end = group_end(t, entry);
		before += entry->tokens;
	}
}

void
cuts_free(struct cuts *cuts)
{
	free(cuts->list);
}
