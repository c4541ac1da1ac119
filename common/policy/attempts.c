#include "policy/attempts.h"

#include <stdlib.h>

#include "base/mem.h"
#include "data/session/session_locks.h"

static bool
is_attempt(const struct session *t, const struct call *call)
{
	const struct group *group = &t->group[call->group];
	const struct entry *entry = &t->entry[group->entry];

	return !entry->outside && (!entry->is_compacted || entry->says_keys) &&
	    (call->result != NONE || !session_is_open(t, group));
}

bool
attempts_call_failed(const struct session *t, const struct call *call)
{
	return call->result == NONE || t->entry[call->result].is_error;
}

void
attempts_find(struct attempts *attempts, const struct session *t)
{
	struct map newest = MAP_INIT; /* key -> its newest attempt */

	attempts->attempt = mem_alloc((size_t)t->call_count + 1, sizeof *attempts->attempt);
	for (uint32_t i = 0; i < t->call_count; i++) {
		struct attempt before = {0, 0, 0};
		uint64_t at;

		attempts->attempt[i] = before;
		if (!is_attempt(t, &t->call[i]))
			continue;
		at = map_set(&newest, t->call[i].key, i);
		if (at != MAP_NONE)
			before = attempts->attempt[at];
		attempts->attempt[i] = (struct attempt){
		    before.number + 1, before.failures + attempts_call_failed(t, &t->call[i]), i};
	}
	for (uint32_t i = 0; i < t->call_count; i++)
		if (attempts->attempt[i].number > 0)
			attempts->attempt[i].last = (uint32_t)map_get(&newest, t->call[i].key);
	map_free(&newest);
}

void
attempts_free(struct attempts *attempts)
{
	free(attempts->attempt);
}

bool
attempts_is_retried(const struct attempts *attempts, const struct session *t, uint32_t index)
{
	const struct attempt *attempt = &attempts->attempt[index];
	const struct call *call = &t->call[index];

	return attempt->number > 0 && attempt->last != index && attempts_call_failed(t, call) &&
	    (call->result == NONE || entry_said_resolved(&t->entry[call->result]) != 0);
}

bool
attempts_has_failed(const struct attempts *attempts, uint32_t index)
{
	return attempts->attempt[index].number > 0 && attempts_last(attempts, index)->failures > 0;
}

struct str
attempts_outcome(const struct session *t, const struct call *call)
{
	if (call->result == NONE)
		return STR("no result");
	return t->entry[call->result].is_error ? STR("error") : STR("ok");
}
