#include "data/session/spent.h"

/* The entries of a group that are looked at again and again. Of a longer group the texts stay until
 * the judgement has read them. */
enum { SPAN_MAX = 64 };

/* Whether the judgement has read the entry, or need not read it: all entries before are spent, so
 * that there is no failure that the entry may resolve. */
static bool
is_judged(const struct session *t, uint32_t index)
{
	const struct entry *entry = &t->entry[index];

	if (index < t->judged)
		return true;
	return !entry->is_error && !entry->says_resolves && !entry->says_resolved;
}

/* Whether all messages of the group are before end, and the judgement reads none of them again. A
 * message among them may be a failure that one of the results resolves. */
static bool
is_closed(const struct session *t, const struct group *group, uint32_t end)
{
	if (group->answered < group->calls || group->last >= end || group->is_given_up)
		return false;
	for (uint32_t i = group->first_call; i < group->first_call + group->calls; i++)
		if (t->call[i].failure != NONE)
			return false;
	if (group->last < t->judged)
		return true;
	if (group->last - group->entry > SPAN_MAX)
		return false;
	for (uint32_t i = group->entry + 1; i <= group->last; i++)
		if (t->entry[i].has_calls || !is_judged(t, i))
			return false;
	return true;
}

/* Forgets the strings of the group that may be in its texts. */
static void
strip(struct session *t, struct group *group)
{
	for (uint32_t i = group->first_call; i < group->first_call + group->calls; i++) {
		struct call *call = &t->call[i];

		call->id = call->name = call->use.target = STR("");
		call->arguments = json_absent;
	}
	group->section = STR("");
}

uint32_t
spent_advance(struct session *t, uint32_t from, uint32_t end)
{
	for (; from < end; from++) {
		const struct entry *entry = &t->entry[from];

		if (entry->kind != RECORD_MESSAGE)
			continue;
		if (!is_judged(t, from))
			return from;
		if (!entry->has_calls)
			continue;
		if (entry->group == NONE || !is_closed(t, &t->group[entry->group], end))
			return from;
		strip(t, &t->group[entry->group]);
	}
	return from;
}
