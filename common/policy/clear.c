#include "policy/clear.h"

#include <stdlib.h>

#include "base/mem.h"
#include "data/change.h"
#include "policy/framing.h"

void
clear_keep_agent(const struct session *t, uint32_t first, bool *goes)
{
	uint32_t left = 0;

	while (left < t->count && (t->entry[left].kind != RECORD_MESSAGE || goes[left]))
		left++;
	if (first == t->count || left == t->count || !t->entry[left].outside)
		return;
	for (uint32_t at = 0, i; (i = session_unit_member(t, first, &at)) != NONE;)
		goes[i] = false;
}

void
clear_section(struct session *t, struct str name, enum group_lock *stays)
{
	static const struct change_rule rule = {
	    STR_INIT("cleared"), STR_INIT("drop"), STR_INIT("section"), STR_INIT("")};
	bool *goes = mem_alloc((size_t)t->count + 1, sizeof *goes);
	uint32_t first = framing_begin(t);

	memset(goes, 0, ((size_t)t->count + 1) * sizeof *goes);
	for (uint32_t i = 0; i < t->count; i++)
		stays[i] = LOCK_NONE;
	for (uint32_t i = first; i < t->count; i++) {
		const struct entry *entry = &t->entry[i];
		enum group_lock lock;

		if (!session_is_in_section(t, entry, name))
			continue;
		lock = session_section_lock(t, entry);
		goes[i] = lock == LOCK_NONE;
		if (session_head(t, entry) == entry)
			stays[i] = lock;
	}
	clear_keep_agent(t, first, goes);
	for (uint32_t i = 0; i < t->count; i++)
		if (goes[i])
			change_drop(t, i, &rule);
	free(goes);
}
