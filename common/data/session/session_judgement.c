#include "data/session/session_judgement.h"

#include "data/session/declined.h"
#include "data/session/session_calls.h"
#include "data/session/session_locks.h"
#include "json/string.h"

/* Sets whether the call is unresolved, and counts it in its group. */
static void
set_unresolved(struct session *t, struct call *call, bool is_unresolved)
{
	struct group *group = &t->group[call->group];

	group->unresolved += is_unresolved;
	group->unresolved -= call->is_unresolved;
	call->is_unresolved = is_unresolved;
}

/* Lists the failure by the id of the message that failed: the result, or else the call message. */
static void
list_message(struct session *t, uint32_t failure, const struct call *call)
{
	bool has_failed = call->result != NONE && call->result <= t->judged;
	const struct entry *entry =
	    &t->entry[has_failed ? call->result : t->group[call->group].entry];
	struct message message;

	if (!entry->says_id)
		return;
	entry_parse(entry, &message);
	failures_list(&t->failures, failure, FAILURE_BY_MESSAGE,
	    call_id_key(json_text(message.meta[METADATA_ID], &t->scratch), 0));
}

/* Lists the failure of a shell command by the one file or directory that it is there for. */
static void
list_end(struct session *t, uint32_t failure, const struct call *call)
{
	struct arena arena = ARENA_INIT;
	struct str end;

	if (call->use.op == TOOL_SHELL && tool_shell_end(call->use.target, &arena, &end))
		failures_list(&t->failures, failure, FAILURE_BY_END, session_file_key(end));
	arena_free(&arena);
}

void
session_list_failure(struct session *t, uint32_t index)
{
	const struct call *call = &t->call[index];
	uint32_t failure = failures_add(&t->failures, index);

	failures_list(&t->failures, failure, FAILURE_BY_DIGEST, session_digest_key(t, index));
	t->failures.is_noted |= t->entry[t->group[call->group].entry].says_keys;
	failures_list(&t->failures, failure, FAILURE_BY_CALL, call->key);
	if (call->use.target.len > 0)
		failures_list(&t->failures, failure, FAILURE_BY_TARGET, session_target_key(call));
	list_end(t, failure, call);
	failures_list(&t->failures, failure, FAILURE_BY_ID, call_id_key(call->id, 0));
	list_message(t, failure, call);
	t->call[index].failure = failure;
}

/* Sets which later call failed, too; NONE: none. */
static void
set_again(struct session *t, struct call *call, uint32_t later)
{
	struct group *group = &t->group[call->group];

	group->failed_again += later != NONE;
	group->failed_again -= call->again != NONE;
	call->again = later;
}

/* Notes that the entry that is judged resolves the failure of the call, with its group or NONE. */
static void
set_resolver(struct session *t, struct call *call, uint32_t group)
{
	uint32_t failed = call->result != NONE ? call->result : t->group[call->group].entry;

	call->resolver = NONE;
	call->resolved_at = t->gone.entries + t->judged + 1;
	if (group == NONE)
		return;
	call->resolver = t->gone.groups + group;
	if (group != call->group && failed > t->group[group].entry &&
	    session_is_kept_by_failures(t, &t->group[group]) &&
	    session_is_kept_by_failures(t, &t->group[call->group]))
		t->group[group].is_crossed = t->group[call->group].is_crossed = true;
}

/* Takes the call of a failure out of the failures: the judged entry resolves it, or says that it
 * was no failure. */
static void
take_back(struct session *t, uint32_t failure)
{
	uint32_t index = t->failures.item[failure].call;
	struct call *call;

	if (index == FAILURE_NONE)
		return;
	call = &t->call[index];
	t->group[call->group].resolvable -= call->is_unresolved;
	set_unresolved(t, call, false);
	set_resolver(t, call, t->entry[t->judged].group);
	call->failure = NONE;
	t->failures.item[failure].call = FAILURE_NONE;
}

/* Of the failed attempts of one call only the newest is listed. Takes an earlier one than this,
 * which failed too, back. Returns false where a later one is listed, since the result of this one
 * came late. */
static bool
retry(struct session *t, uint32_t index)
{
	uint64_t listed =
	    map_get(&t->failures.newest[FAILURE_BY_DIGEST], session_digest_key(t, index));
	uint32_t other = listed == MAP_NONE ? FAILURE_NONE : t->failures.item[listed].call;

	if (other == FAILURE_NONE)
		return true;
	if (other > index) {
		set_again(t, &t->call[index], other);
		set_resolver(t, &t->call[index], t->call[other].group);
		return false;
	}
	set_again(t, &t->call[other], index);
	take_back(t, (uint32_t)listed);
	return true;
}

static void
fail(struct session *t, uint32_t index)
{
	if (!retry(t, index))
		return;
	session_learn(t, index);
	session_list_failure(t, index);
	set_unresolved(t, &t->call[index], true);
	t->group[t->call[index].group].resolvable++;
}

/* Resolves all failures on the list of the key. */
static void
resolve(struct session *t, enum failure_way way, struct hash key)
{
	uint32_t i = failures_take(&t->failures, way, key);

	for (; i != FAILURE_NONE; i = t->failures.item[i].older[way])
		take_back(t, i);
}

static bool
has_failures(const struct session *t)
{
	return t->failures.newest[FAILURE_BY_CALL].count +
	    t->failures.newest[FAILURE_BY_TARGET].count >
	    0;
}

static void
resolve_file(void *context, enum tool_op kind, struct str path)
{
	struct session *t = context;

	if (kind != TOOL_EDIT)
		return;
	resolve(t, FAILURE_BY_TARGET, session_file_key(path));
	resolve(t, FAILURE_BY_END, session_file_key(path));
}

/* Resolves the failures of calls whose goal, a file or directory, another call reached in another
 * way. */
static void
resolve_ends(struct session *t, const struct tool_use *use)
{
	struct arena arena = ARENA_INIT;

	if (use->op == TOOL_SHELL)
		tool_shell_ends(use->target, &arena, resolve_file, t);
	else if (use->op == TOOL_WRITE)
		resolve_file(t, TOOL_EDIT, use->target);
	arena_free(&arena);
}

static void
succeed(struct session *t, uint32_t index)
{
	const struct call *call;

	if (!has_failures(t))
		return;
	call = session_learn(t, index);
	/* The arguments of one of the two calls may have been shortened. */
	if (t->failures.is_noted || t->entry[t->group[call->group].entry].says_keys)
		resolve(t, FAILURE_BY_DIGEST, session_digest_key(t, index));
	resolve(t, FAILURE_BY_CALL, call->key);
	if (call->use.target.len > 0)
		resolve(t, FAILURE_BY_TARGET, session_target_key(call));
	resolve_ends(t, &call->use);
}

static void
resolve_id(struct session *t, struct json_value id)
{
	struct hash key;

	if (id.type != JSON_STRING)
		return;
	key = call_id_key(json_text(id, &t->scratch), 0);
	resolve(t, FAILURE_BY_ID, key);
	resolve(t, FAILURE_BY_MESSAGE, key);
}

/* Resolves the failures that the entry names in "resolves", an id or a list of ids. */
static void
resolve_ids(struct session *t, const struct entry *entry)
{
	struct message message;

	if (!entry->says_resolves)
		return;
	entry_parse(entry, &message);
	resolve_id(t, message.meta[METADATA_RESOLVES]);
	for (struct json_walk walk = json_walk_of(message.meta[METADATA_RESOLVES]);
	     json_walk_next(&walk);)
		resolve_id(t, walk.value);
}

/* Whether the user refused the call, and nothing else is said of its failure. */
static bool
was_refused(const struct entry *entry)
{
	struct message message;

	if (!entry->is_error || entry->says_resolved)
		return false;
	entry_parse(entry, &message);
	return declined_says(&message);
}

static void
judge_result(struct session *t, const struct entry *entry)
{
	struct call *call = &t->call[entry->call];
	int resolved = entry_said_resolved(entry);

	/* A late result: the call had failed because it had none, and that is over. */
	if (call->failure != NONE)
		take_back(t, call->failure);
	set_again(t, call, NONE);
	call->resolver = NONE;
	call->resolved_at = 0;
	call->was_refused = was_refused(entry);
	if (resolved == 0)
		set_unresolved(t, call, true); /* a failure that nothing can resolve */
	else if (!entry->is_error)
		succeed(t, entry->call);
	else if (resolved < 0 && !call->was_refused)
		fail(t, entry->call);
	else if (has_failures(t))
		retry(t, entry->call);
}

/* The result of a lost call, whose success resolves failures. */
static void
judge_lost(struct session *t, const struct entry *entry)
{
	const struct lost_call *call = &t->gone.lost[entry->lost];

	if (entry_said_resolved(entry) != 0 && !entry->is_error && has_failures(t)) {
		resolve(t, FAILURE_BY_CALL, call->key);
		if ((call->target.a | call->target.b) != 0)
			resolve(t, FAILURE_BY_TARGET, call->target);
	}
}

/* Puts the ids of the calls that the message resolves into the map. Returns whether all its calls
 * are. */
static bool
list_resolved(struct session *t, const struct entry *entry, struct map *resolved)
{
	struct message message;

	if (!entry->says_resolved)
		return false;
	entry_parse(entry, &message);
	for (struct json_walk walk = json_walk_of(message.meta[METADATA_RESOLVED]);
	     json_walk_next(&walk);)
		if (walk.value.type == JSON_STRING)
			map_set(resolved, call_id_key(json_text(walk.value, &t->scratch), 0), 0);
	return message_is(&message, METADATA_RESOLVED);
}

static void
judge_calls(struct session *t, const struct entry *entry)
{
	struct group *group = &t->group[entry->group];
	struct map resolved = MAP_INIT;
	bool are_all;

	if (!t->execution[entry->execution].is_over)
		return;
	are_all = list_resolved(t, entry, &resolved);
	for (uint32_t i = group->first_call; i < group->first_call + group->calls; i++) {
		const struct call *call = &t->call[i];

		if (call->result != NONE)
			continue;
		if (!are_all && map_get(&resolved, call_id_key(call->id, 0)) == MAP_NONE) {
			fail(t, i);
			continue;
		}
		group->waived++;
		if (has_failures(t))
			retry(t, i);
	}
	map_free(&resolved);
}

void
session_judge(struct session *t, uint32_t end)
{
	for (; t->judged < end; t->judged++) {
		const struct entry *entry = &t->entry[t->judged];

		if (entry->outside)
			continue;
		resolve_ids(t, entry);
		if (entry->has_calls)
			judge_calls(t, entry);
		if (entry->call != NONE)
			judge_result(t, entry);
		if (entry_has_lost_call(entry))
			judge_lost(t, entry);
	}
}

bool
session_failed_again(const struct session *t, const struct group *group)
{
	return group->failed_again == group->calls && !group->is_given_up &&
	    ((group->answered == group->calls && group->last < t->judged) || t->has_ended) &&
	    session_group_lock(t, group) <= LOCK_UNRESOLVED;
}

uint32_t
session_newest_attempt(struct session *t, uint32_t index)
{
	uint32_t newest = index, next;

	while (
	    t->call[newest].again != NONE && session_is_judged(t, &t->group[t->call[newest].group]))
		newest = t->call[newest].again;
	/* The path is not walked again. */
	for (; index != newest; index = next) {
		next = t->call[index].again;
		t->call[index].again = newest;
	}
	return newest;
}
