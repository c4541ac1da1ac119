/*
 * Fuzzes the held session and its walk with any lines. Whatever the lines are, indexes are in
 * bounds, each group stands before its results, and a call and its result name each other.
 */

#include "data/session/session_builder.h"
#include "data/session/session_calls.h"
#include "data/session/session_locks.h"
#include "held.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void
must(bool holds)
{
	if (!holds)
		abort();
}

static void
check_entry(const struct session *t, uint32_t i)
{
	const struct entry *entry = &t->entry[i];

	must(entry->before + (size_t)entry->after <= entry->len);
	must(entry->execution == NONE || entry->execution < t->execution_count);
	must(entry->turn == NONE || entry->turn <= t->turn_count);
	must(entry->group == NONE || entry->group < t->group_count);
	must(entry->call == NONE ||
	    (entry->call < t->call_count && t->call[entry->call].result == i));
	must(!entry->is_final ||
	    (entry->execution != NONE && t->execution[entry->execution].final == i));
}

static void
check_group(const struct session *t, uint32_t g)
{
	const struct group *group = &t->group[g];
	uint32_t answered = 0;

	must(group->entry < t->count && group->entry <= group->last && group->last < t->count);
	must(group->calls > 0 && group->first_call + group->calls <= t->call_count);
	for (uint32_t i = group->first_call; i < group->first_call + group->calls; i++) {
		const struct call *call = &t->call[i];

		must(call->group == g);
		must(call->result == NONE || t->entry[call->result].call == i);
		must(call->result == NONE ||
		    (call->result > group->entry && call->result <= group->last));
		answered += call->result != NONE;
	}
	must(answered == group->answered);
	must(!session_is_open(t, group) || answered < group->calls);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct session session;
	enum current current = len > 0 ? bytes[0] % 3u : 0;

	message_init();
	held_open(&session, current, str_of((const void *)bytes, len));
	session_end(&session);
	session_learn_all(&session);
	for (uint32_t i = 0; i < session.count; i++)
		check_entry(&session, i);
	for (uint32_t g = 0; g < session.group_count; g++)
		check_group(&session, g);
	for (uint32_t e = 0; e < session.execution_count; e++)
		must(session.execution[e].first <= session.execution[e].last &&
		    session.execution[e].last < session.count);
	held_close(&session);
	return 0;
}
