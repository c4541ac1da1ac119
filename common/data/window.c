#include "data/window.h"

#include <stdlib.h>

#include "base/list.h"
#include "data/change.h"
#include "data/session/session_builder.h"
#include "data/session/session_calls.h"
#include "data/session/session_judgement.h"
#include "data/session/session_locks.h"
#include "data/session/spent.h"

/* The least weight that is worth forgetting. A block of the input is freed only with the last of
 * its records. A copied record is freed by itself; very many sessions may each hold a few
 * copies. */
enum { FORGET_MIN = 256 * 1024, FORGET_MIN_COPIES = 4 * 1024 };

static uint64_t
entry_bytes(const struct session *t, uint32_t index)
{
	return change_original(t, index).len;
}

/* Moves t->judged over entries that neither fail nor resolve anything. */
static void
skip_judged(struct session *t, uint32_t end)
{
	while (t->judged < end) {
		const struct entry *entry = &t->entry[t->judged];

		if (!entry->outside &&
		    (entry->says_resolves || entry->has_calls || entry->call != NONE ||
			entry_has_lost_call(entry)))
			return;
		t->judged++;
	}
}

static bool
is_over_limit(const struct window *window, uint64_t bytes, uint64_t messages)
{
	if (window->limit.unit == SIZE_MESSAGES)
		return messages > window->limit.value;
	return window->limit.unit != SIZE_UNSET && bytes > window->limit.value;
}

/* The first entry that is still needed: an entry that is not judged or not emitted, with the head
 * of its group, or the head of a group whose results may still come. */
static uint32_t
find_base(struct window *window)
{
	struct session *t = &window->held.session;
	uint32_t base = window->left, first;

	skip_judged(t, base);
	if (t->judged < base)
		base = t->judged;
	first = base;
	if (window->waiting < t->group_count && t->group[window->waiting].entry < base)
		base = t->group[window->waiting].entry;
	for (uint32_t i = first; i < t->count; i++) {
		uint32_t head = session_head_index(t, i);

		if (!t->entry[i].outside && head < base)
			base = head;
	}
	return base;
}

/* Keeps what the result of a call without one will need, in case it still comes. */
static void
lose_call(struct session *t, uint32_t index)
{
	struct lost_call lost = {.group = t->gone.groups + t->call[index].group};

	if (!t->entry[t->group[t->call[index].group].entry].outside) {
		const struct call *call = session_learn(t, index);

		lost.key = call->key;
		if (call->use.target.len > 0)
			lost.target = session_target_key(call);
	}
	session_add_lost(t, t->gone.calls + index, &lost);
}

/* Forgets the groups whose call message is before base. */
static void
forget_groups(struct window *window, uint32_t base)
{
	struct session *t = &window->held.session;
	uint32_t groups = 0, calls = 0;

	for (; groups < t->group_count && t->group[groups].entry < base; groups++) {
		const struct group *group = &t->group[groups];

		for (uint32_t i = 0; i < group->calls; i++, calls++) {
			if (t->call[calls].result != NONE)
				continue;
			if (!group->is_given_up)
				lose_call(t, calls);
			t->gone.lost[session_find_lost(t, t->gone.calls + calls)].is_head_dropped =
			    t->entry[group->entry].is_dropped;
		}
	}
	t->group_count -= groups;
	t->call_count -= calls;
	LIST_DROP_FRONT(t->group, groups, t->group_count);
	LIST_DROP_FRONT(t->call, calls, t->call_count);
	t->freeze_from -= t->freeze_from < groups ? t->freeze_from : groups;
	window->waiting -= groups;
	t->gone.groups += groups;
	t->gone.calls += calls;
	for (uint32_t i = 0; i < t->count; i++) {
		struct entry *entry = &t->entry[i];

		entry->call =
		    entry->call == NONE || entry->call < calls ? NONE : entry->call - calls;
		entry->group =
		    entry->group == NONE || entry->group < groups ? NONE : entry->group - groups;
	}
	for (uint32_t i = 0; i < t->group_count; i++) {
		t->group[i].entry -= base;
		t->group[i].last -= base;
		t->group[i].first_call -= calls;
	}
	for (uint32_t i = 0; i < t->call_count; i++) {
		t->call[i].group -= groups;
		if (t->call[i].result != NONE)
			t->call[i].result -= base;
		if (t->call[i].again != NONE)
			t->call[i].again -= calls;
	}
}

/* Forgets the executions before that of the first entry that has one. */
static void
forget_executions(struct session *t, uint32_t base)
{
	uint32_t first = t->execution_count > 0 ? t->execution_count - 1 : 0;

	for (uint32_t i = 0; i < t->count; i++)
		if (t->entry[i].execution != NONE) {
			first = t->entry[i].execution;
			break;
		}
	t->execution_count -= first;
	LIST_DROP_FRONT(t->execution, first, t->execution_count);
	t->gone.executions += first;
	for (uint32_t i = 0; i < t->count; i++)
		if (t->entry[i].execution != NONE)
			t->entry[i].execution -= first;
	for (uint32_t i = 0; i < t->execution_count; i++) {
		struct execution *execution = &t->execution[i];

		execution->first -= execution->first < base ? execution->first : base;
		execution->last -= execution->last < base ? execution->last : base;
		execution->final = execution->final == NONE || execution->final < base ?
		    NONE :
		    execution->final - base;
	}
}

static void
shift(uint32_t *index, uint32_t base)
{
	*index = *index == NONE || *index < base ? NONE : *index - base;
}

/* Copies the strings that the session still needs into a new arena, and frees the old one. */
static void
renew_strings(struct session *t)
{
	struct arena old = t->arena;

	t->arena = (struct arena)ARENA_INIT;
	for (uint32_t i = 0; i < t->execution_count; i++)
		t->execution[i].id = arena_copy(&t->arena, t->execution[i].id);
	for (uint32_t i = 0; i < t->group_count; i++)
		if (t->group[i].section.ptr != NULL)
			t->group[i].section = arena_copy(&t->arena, t->group[i].section);
	for (uint32_t i = 0; i < t->call_count; i++) {
		struct call *call = &t->call[i];

		call->id = arena_copy(&t->arena, call->id);
		call->name = arena_copy(&t->arena, call->name);
		call->use.target = arena_copy(&t->arena, call->use.target);
	}
	for (uint32_t i = 0; i < t->count; i++) {
		struct entry *entry = &t->entry[i];

		entry->change = NONE;
		if (entry->is_changed)
			entry->raw =
			    arena_copy_padded(&t->arena, str_of(entry->raw, entry->len)).ptr;
	}
	t->change_count = 0;
	arena_free(&old);
}

/* Makes new lists of the failures that are left, in their order. */
static void
renew_failures(struct session *t, uint32_t calls)
{
	struct failures old = t->failures;

	t->failures = (struct failures){.count = 0};
	for (uint32_t i = 0; i < old.count; i++)
		if (old.item[i].call != FAILURE_NONE && old.item[i].call >= calls)
			session_list_failure(t, old.item[i].call - calls);
	failures_free(&old);
}

static void
forget(struct window *window, uint32_t base)
{
	struct session *t = &window->held.session;
	uint32_t calls = t->gone.calls;

	forget_groups(window, base); /* first, since groups look at their entries */
	t->gone.entries += base;
	t->count -= base;
	LIST_DROP_FRONT(t->entry, base, t->count);
	window->left -= base;
	window->from -= base;
	t->judged -= base;
	window->spent -= window->spent < base ? window->spent : base;
	shift(&t->answer, base);
	shift(&t->error, base);
	forget_executions(t, base);
	renew_strings(t);
	renew_failures(t, t->gone.calls - calls);
	held_forget(&window->held, base);
}

/* Forgets the entries that have left, when they outweigh those that wait, and are at least that
 * many bytes. */
static void
forget_left(struct window *window, uint64_t least)
{
	struct session *t = &window->held.session;
	uint64_t waits = window->held_bytes + (t->count - window->left) * sizeof *t->entry;
	uint32_t base;

	if (window->left_weight < least || window->left_weight < window->forget_at ||
	    window->left_weight < waits)
		return;
	base = find_base(window);
	if (base > 0)
		forget(window, base);
	window->left_weight = window->held_bytes = 0;
	for (uint32_t i = 0; i < t->count; i++) {
		if (i < window->left)
			window->left_weight += entry_bytes(t, i) + sizeof *t->entry;
		else
			window->held_bytes += entry_bytes(t, i);
	}
	window->forget_at = 2 * window->left_weight;
}

/* Emits the entries at the front that are decided. */
static void
let_leave(struct window *window)
{
	struct session *t = &window->held.session;

	while (window->left < t->count && window->decide(window, window->left)) {
		uint64_t bytes = entry_bytes(t, window->left);

		if (fault_is_set(window->held.stage.fault))
			return;
		if (!t->entry[window->left].is_dropped)
			held_emit(&window->held, window->left);
		window->left++;
		window->held_bytes -= bytes;
		window->left_weight += bytes + sizeof *t->entry;
	}
}

/* Gives up groups, the oldest first, until the records since the oldest unsettled group are within
 * the limit. Groups of the running execution are not given up. */
static void
settle_groups(struct window *window)
{
	struct session *t = &window->held.session;

	for (; window->waiting < t->group_count; window->waiting++) {
		struct group *group = &t->group[window->waiting];

		if (session_is_settled(t, group))
			continue;
		while (window->from < group->entry)
			window->from_bytes -= entry_bytes(t, window->from++);
		if (!session_is_known(t, t->entry[group->entry].execution) ||
		    !is_over_limit(window, window->from_bytes, t->count - window->from))
			return;
		/* Its late results are in no group, as if it were forgotten by then. */
		group->is_given_up = true;
		window->given_up++;
		for (uint32_t i = 0; i < group->calls; i++)
			if (t->call[group->first_call + i].result == NONE)
				lose_call(t, group->first_call + i);
	}
	window->from = t->count;
	window->from_bytes = 0;
}

static void
take(struct stage *stage, struct record *record)
{
	struct window *window = (struct window *)stage;
	struct session *t = &window->held.session;
	bool is_copied = record->is_scattered;

	held_take(stage, record);
	window->held_bytes += t->entry[t->count - 1].len;
	window->from_bytes += t->entry[t->count - 1].len;
	if (window->prepare != NULL)
		return;
	settle_groups(window);
	if (window->decided != NULL)
		return;
	let_leave(window);
	if (!window->rereads) {
		window->spent = spent_advance(t, window->spent, window->left);
		held_give_back(&window->held, window->spent);
	}
	forget_left(window, is_copied ? FORGET_MIN_COPIES : FORGET_MIN);
}

/* Decides about all entries before the first one is emitted. */
static void
decide_all(struct window *window)
{
	struct session *t = &window->held.session;

	while (window->left < t->count && !fault_is_set(window->held.stage.fault) &&
	    window->decide(window, window->left))
		window->left++;
	if (fault_is_set(window->held.stage.fault))
		return;
	window->decided(window);
	for (uint32_t i = 0; i < t->count && !fault_is_set(window->held.stage.fault); i++)
		if (!t->entry[i].is_dropped)
			held_emit(&window->held, i);
}

static void
end(struct stage *stage)
{
	struct window *window = (struct window *)stage;

	session_end(&window->held.session);
	if (window->prepare != NULL)
		window->prepare(window);
	if (window->decided != NULL)
		decide_all(window);
	else
		let_leave(window);
}

void
window_init(struct window *window, bool (*decide)(struct window *window, uint32_t entry))
{
	*window = (struct window){.decide = decide};
	held_init(&window->held, end);
	window->held.stage.take = take;
}

void
window_free(struct window *window)
{
	held_free(&window->held);
}
