#include "data/session/session.h"

#include <stdlib.h>

#include "base/list.h"
#include "data/session/call_digest.h"
#include "json/canon.h"
#include "json/string.h"

void
session_init(struct session *t)
{
	*t = (struct session){.answer = NONE, .error = NONE};
	walk_init(&t->walk);
}

void
session_free(struct session *t)
{
	walk_free(&t->walk);
	arena_free(&t->arena);
	buf_free(&t->scratch);
	free(t->list);
	free(t->entry);
	free(t->execution);
	free(t->group);
	free(t->call);
	failures_free(&t->failures);
	map_free(&t->gone.call_by_number);
	free(t->gone.call);
	free(t->gone.result);
	free(t->change);
	free(t->added);
}

struct str
entry_text(const struct entry *entry)
{
	return str_of(entry->raw + entry->before, entry->len - entry->before - entry->after);
}

void
entry_parse(const struct entry *entry, struct message *message)
{
	if (entry->kind == RECORD_BAD || entry->kind == RECORD_BLANK)
		message_parse(message, entry_text(entry));
	else
		message_reread(message, entry_text(entry));
}

bool
session_is_current(const struct session *t, const struct entry *entry)
{
	return entry->execution != NONE &&
	    (t->execution[entry->execution].is_current || entry->is_named);
}

bool
session_is_current_trace(const struct session *t, const struct entry *entry)
{
	if (!session_is_current(t, entry) || entry->nested == 0 || entry->is_named)
		return session_is_current(t, entry);
	return t->current != CURRENT_ID && walk_is_nested_current(&t->walk, entry->nested);
}

void
session_set_current(struct session *t, enum current current, struct str id)
{
	t->current = current;
	t->current_id = id;
}

uint32_t
session_head_index(const struct session *t, uint32_t index)
{
	uint32_t group = t->entry[index].group;

	return group != NONE ? t->group[group].entry : index;
}

bool
session_is_head(const struct session *t, uint32_t index)
{
	return session_head_index(t, index) == index;
}

const struct entry *
session_head(const struct session *t, const struct entry *entry)
{
	return entry->group != NONE ? &t->entry[t->group[entry->group].entry] : entry;
}

uint32_t
session_member(const struct session *t, const struct group *group, uint32_t *at)
{
	if ((*at)++ == 0)
		return group->entry;
	for (; *at - 2 < group->calls; (*at)++) {
		uint32_t result = t->call[group->first_call + *at - 2].result;

		if (result != NONE)
			return result;
	}
	return NONE;
}

uint32_t
session_unit_member(const struct session *t, uint32_t index, uint32_t *at)
{
	uint32_t group = t->entry[index].group;

	if (group != NONE)
		return session_member(t, &t->group[group], at);
	return (*at)++ == 0 ? index : NONE;
}

bool
session_is_open(const struct session *t, const struct group *group)
{
	uint32_t execution = t->entry[group->entry].execution;

	return group->answered < group->calls && execution != NONE &&
	    (t->execution[execution].is_current || !t->execution[execution].is_over);
}

enum group_lock
session_group_lock(const struct session *t, const struct group *group)
{
	if (group->is_pinned)
		return LOCK_PINNED;
	if (group->is_frozen)
		return LOCK_FROZEN;
	if (session_is_open(t, group))
		return LOCK_OPEN;
	if (group->is_critical)
		return LOCK_CRITICAL;
	return group->unresolved > 0 || group->is_given_up ? LOCK_UNRESOLVED : LOCK_NONE;
}

enum group_lock
session_section_lock(const struct session *t, const struct entry *entry)
{
	enum group_lock lock;

	if (entry->group == NONE)
		return entry->is_pinned ? LOCK_PINNED : LOCK_NONE;
	lock = session_group_lock(t, &t->group[entry->group]);
	return lock >= LOCK_OPEN ? lock : LOCK_NONE;
}

bool
session_is_known(const struct session *t, uint32_t execution)
{
	return t->has_ended || t->execution[execution].is_over ||
	    (t->current == CURRENT_ID && t->execution[execution].is_current);
}

bool
session_is_settled(const struct session *t, const struct group *group)
{
	return group->is_pinned || group->is_frozen || session_is_judged(t, group);
}

bool
session_is_judged(const struct session *t, const struct group *group)
{
	uint32_t execution = t->entry[group->entry].execution;

	if (t->has_ended || execution == NONE || group->is_given_up)
		return true;
	return session_is_known(t, execution) && group->answered == group->calls &&
	    group->last < t->judged && group->resolvable == 0;
}

bool
session_failed_again(const struct session *t, const struct group *group)
{
	return group->failed_again == group->calls && !group->is_given_up &&
	    ((group->answered == group->calls && group->last < t->judged) || t->has_ended) &&
	    session_group_lock(t, group) <= LOCK_UNRESOLVED;
}

static bool
is_judged(const struct session *t, uint32_t call)
{
	return session_is_judged(t, &t->group[t->call[call].group]);
}

uint32_t
session_newest_attempt(struct session *t, uint32_t index)
{
	uint32_t newest = index, next;

	while (t->call[newest].again != NONE && is_judged(t, newest))
		newest = t->call[newest].again;
	/* The way is not gone again. */
	for (; index != newest; index = next) {
		next = t->call[index].again;
		t->call[index].again = newest;
	}
	return newest;
}

static struct entry *
new_entry(struct session *t, const struct line *line, const struct message *message)
{
	struct entry *entry;

	LIST_ROOM(t->entry, t->count, t->cap);
	entry = &t->entry[t->count++];
	*entry = (struct entry){
	    .raw = line->raw.ptr,
	    .place = line->place,
	    .len = (uint32_t)line->raw.len,
	    .before = (uint8_t)(line->text.ptr - line->raw.ptr),
	    .after = (uint8_t)(line->raw.ptr + line->raw.len - (line->text.ptr + line->text.len)),
	    .kind = (uint8_t)message->kind,
	    .is_continued = line->continued,
	    .execution = NONE,
	    .turn = NONE,
	    .group = NONE,
	    .call = NONE,
	    .change = NONE,
	    .outside = true,
	};
	return entry;
}

/* Called for a bad line: it may hold the missing result of a group since the last user message. */
static void
freeze_groups(struct session *t)
{
	for (uint32_t i = t->freeze_from; i < t->group_count; i++)
		t->group[i].is_frozen |= t->group[i].answered < t->group[i].calls;
	t->freeze_from = t->group_count;
}

static void
settle(struct session *t, uint32_t *candidate, enum fate fate)
{
	struct entry *entry;

	if (fate == FATE_OPEN)
		return;
	if (fate == FATE_FINAL && *candidate != NONE) { /* not forgotten */
		entry = &t->entry[*candidate];
		entry->is_final = true;
		t->execution[entry->execution].final = *candidate;
	}
	*candidate = NONE;
}

static void
settle_both(struct session *t, enum fate answer, enum fate error)
{
	settle(t, &t->answer, answer);
	settle(t, &t->error, error);
}

static struct str
keep_text(struct session *t, struct json_value string)
{
	if (string.type != JSON_STRING)
		return STR("");
	if (!string.escaped)
		return json_inner(string);
	return arena_copy(&t->arena, json_text(string, &t->scratch));
}

/* The key of a call: calls with equal keys have the same tool and the same arguments. */
static struct hash
call_key(struct session *t, const struct call *call, struct json_value arguments)
{
	struct hash seed = hash_bytes(call->name, hash_seed(HASH_CALL));
	struct arena scratch = ARENA_INIT;
	struct hash key;

	if (arguments.type == JSON_ABSENT)
		return hash_bytes(json_span(call->arguments), seed);
	buf_reset(&t->scratch);
	json_canon(arguments, &t->scratch, &scratch);
	key = hash_bytes(buf_str(&t->scratch), seed);
	arena_free(&scratch);
	return key;
}

static const struct call *
learn(struct session *t, uint32_t index, bool key)
{
	struct call *call = &t->call[index];
	struct arena scratch = ARENA_INIT;
	struct tool_arguments arguments = {.value = {.type = JSON_ABSENT}};

	if (call->has_use && (call->has_key || !key))
		return call;
	if (key || tool_is_known(call->name))
		tool_arguments(call->arguments, &scratch, &arguments);
	if (key)
		call->key = call_key(t, call, arguments.value);
	if (!call->has_use) {
		tool_classify(call->name, &arguments, &scratch, &call->use);
		call->use.target = arena_copy(&t->arena, call->use.target);
	}
	call->has_use = true;
	call->has_key |= key;
	arena_free(&scratch);
	return call;
}

const struct call *
session_use(struct session *t, uint32_t index)
{
	return learn(t, index, false);
}

const struct call *
session_learn(struct session *t, uint32_t index)
{
	return learn(t, index, true);
}

void
session_add_digest(const struct session *t, uint32_t index, struct buf *buf)
{
	const struct call *call = &t->call[index];
	const struct group *group = &t->group[call->group];
	struct str noted = STR("");
	struct message message;

	if (t->entry[group->entry].says_keys) {
		entry_parse(&t->entry[group->entry], &message);
		noted = call_digest_noted(&message, index - group->first_call);
	}
	if (noted.len > 0)
		buf_add_str(buf, noted);
	else
		call_digest_write(call->name, call->arguments, buf);
}

static struct hash
digest_key(const struct session *t, uint32_t index)
{
	struct buf digest = BUF_INIT;
	struct hash key;

	session_add_digest(t, index, &digest);
	key = hash_bytes(buf_str(&digest), hash_seed(HASH_CALL_DIGEST));
	buf_free(&digest);
	return key;
}

void
session_learn_all(struct session *t)
{
	for (uint32_t i = 0; i < t->call_count; i++)
		session_learn(t, i);
	for (uint32_t i = 0; i < t->call_count && t->notes_digests; i++)
		t->call[i].key = digest_key(t, i);
}

struct hash
session_target_key(const struct call *call)
{
	return hash_bytes(
	    call->use.target, hash_number(tool_kind(call->use.op), hash_seed(HASH_TARGET)));
}

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

void
session_list_failure(struct session *t, uint32_t index)
{
	const struct call *call = &t->call[index];
	uint32_t failure = failures_add(&t->failures, index);

	failures_list(&t->failures, failure, FAILURE_BY_DIGEST, digest_key(t, index));
	t->failures.is_noted |= t->entry[t->group[call->group].entry].says_keys;
	failures_list(&t->failures, failure, FAILURE_BY_CALL, call->key);
	if (call->use.target.len > 0)
		failures_list(&t->failures, failure, FAILURE_BY_TARGET, session_target_key(call));
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

bool
session_has_waited(const struct session *t, const struct group *group)
{
	return t->entry[group->entry].is_trace && !group->is_pinned && !group->is_frozen &&
	    !group->is_given_up;
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
	    session_has_waited(t, &t->group[group]) &&
	    session_has_waited(t, &t->group[call->group]))
		t->group[group].is_crossed = t->group[call->group].is_crossed = true;
}

/* Takes the call of a failure out of the failures: the entry that is judged resolves it, or says
 * that it was none. */
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
	uint64_t listed = map_get(&t->failures.newest[FAILURE_BY_DIGEST], digest_key(t, index));
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
succeed(struct session *t, uint32_t index)
{
	const struct call *call;

	if (!has_failures(t))
		return;
	call = session_learn(t, index);
	/* The arguments of one of the two calls may have been shortened. */
	if (t->failures.is_noted || t->entry[t->group[call->group].entry].says_keys)
		resolve(t, FAILURE_BY_DIGEST, digest_key(t, index));
	resolve(t, FAILURE_BY_CALL, call->key);
	if (call->use.target.len > 0)
		resolve(t, FAILURE_BY_TARGET, session_target_key(call));
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
	struct json_walk walk;

	if (!entry->says_resolves)
		return;
	entry_parse(entry, &message);
	resolve_id(t, message.meta[METADATA_RESOLVES]);
	json_walk_open(&walk, message.meta[METADATA_RESOLVES]);
	while (json_walk_next(&walk))
		resolve_id(t, walk.value);
}

/* The member "resolved" of a result's metadata: 1 for true, 0 for false, -1 when there is none. */
static int
said_resolved(const struct entry *entry)
{
	struct message message;

	if (!entry->says_resolved)
		return -1;
	entry_parse(entry, &message);
	return message_flag(&message, METADATA_RESOLVED);
}

static void
judge_result(struct session *t, const struct entry *entry)
{
	struct call *call = &t->call[entry->call];
	int resolved = said_resolved(entry);

	/* A late result: the call had failed because it had none, and that is over. */
	if (call->failure != NONE)
		take_back(t, call->failure);
	set_again(t, call, NONE);
	call->resolver = NONE;
	call->resolved_at = 0;
	if (resolved == 0)
		set_unresolved(t, call, true); /* a failure that nothing can resolve */
	else if (!entry->is_error)
		succeed(t, entry->call);
	else if (resolved < 0)
		fail(t, entry->call);
	else if (has_failures(t))
		retry(t, entry->call);
}

/* The result of a forgotten call. The call itself is gone, but its success resolves failures. */
static void
judge_forgotten(struct session *t, const struct entry *entry)
{
	const struct forgotten_call *call = &t->gone.call[t->gone.result[t->gone.result_next++]];

	if (said_resolved(entry) != 0 && !entry->is_error && has_failures(t)) {
		resolve(t, FAILURE_BY_CALL, call->key);
		if ((call->target.a | call->target.b) != 0)
			resolve(t, FAILURE_BY_TARGET, call->target);
	}
	if (t->gone.result_next == t->gone.result_count)
		t->gone.result_next = t->gone.result_count = 0;
}

/* Puts the ids of the calls that the message says are resolved into the map. Returns whether all
 * its calls are. */
static bool
list_resolved(struct session *t, const struct entry *entry, struct map *resolved)
{
	struct message message;
	struct json_walk walk;

	if (!entry->says_resolved)
		return false;
	entry_parse(entry, &message);
	json_walk_open(&walk, message.meta[METADATA_RESOLVED]);
	while (json_walk_next(&walk))
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

/* Goes over the entries up to end, and notes which calls failed and which failures are resolved. */
static void
judge(struct session *t, uint32_t end)
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
		if (entry->is_forgotten)
			judge_forgotten(t, entry);
	}
}

/* Ends the last execution, because another one begins at the entry. */
static void
end_execution(struct session *t, uint32_t entry)
{
	struct execution *execution = &t->execution[t->execution_count - 1];

	execution->is_over = true;
	execution->is_current &= t->current == CURRENT_ID;
	judge(t, entry);
}

static void
begin_execution(struct session *t, uint32_t entry)
{
	struct str id = walk_execution_id(&t->walk);
	bool is_named = t->current == CURRENT_ID && str_eq(id, t->current_id);

	if (t->execution_count > 0)
		end_execution(t, entry);
	LIST_ROOM(t->execution, t->execution_count, t->execution_cap);
	t->execution[t->execution_count++] = (struct execution){.id = arena_copy(&t->arena, id),
	    .first = entry,
	    .final = NONE,
	    .is_current = is_named || t->current == CURRENT_AUTO || t->current == CURRENT_LAST};
}

static void
set_execution(struct session *t, struct entry *entry, const struct verdict *verdict)
{
	uint32_t index = (uint32_t)(entry - t->entry);

	entry->execution = verdict->execution;
	entry->nested = verdict->nested;
	entry->turn = verdict->turn;
	entry->is_request = verdict->is_request;
	entry->is_named = verdict->nested != 0 && t->current == CURRENT_ID &&
	    str_eq(walk_nested_id(&t->walk, verdict->nested), t->current_id);
	if (verdict->execution == NONE)
		return;
	if (verdict->execution_began)
		begin_execution(t, index);
	t->execution[entry->execution].last = index;
}

void
session_end(struct session *t)
{
	enum fate answer, error;
	bool is_over = walk_end(&t->walk, &answer, &error) || t->ends_execution;

	settle_both(t, answer, error);
	if (t->execution_count > 0) {
		struct execution *last = &t->execution[t->execution_count - 1];

		last->is_over = is_over;
		last->is_current &= t->current != CURRENT_AUTO || !is_over;
	}
	judge(t, t->count);
	t->has_ended = true;
}

static void
add_call(struct session *t, const struct tool_call *from, uint32_t group)
{
	LIST_ROOM(t->call, t->call_count, t->call_cap);
	t->call[t->call_count++] = (struct call){.id = keep_text(t, from->id),
	    .name = keep_text(t, from->name),
	    .arguments = from->arguments,
	    .group = group,
	    .result = NONE,
	    .failure = NONE,
	    .resolver = NONE,
	    .again = NONE};
}

static void
add_group(struct session *t, const struct verdict *verdict, uint32_t entry)
{
	LIST_ROOM(t->group, t->group_count, t->group_cap);
	t->group[t->group_count++] = (struct group){.entry = entry,
	    .last = entry,
	    .first_call = verdict->first_call,
	    .calls = verdict->calls};
	for (uint32_t i = 0; i < verdict->calls; i++)
		add_call(t, &t->walk.call[i], verdict->group);
}

static void
set_pair(struct session *t, struct entry *entry, const struct verdict *verdict)
{
	uint32_t index = (uint32_t)(entry - t->entry);
	struct group *group;

	entry->group = verdict->group;
	if (verdict->has_calls)
		add_group(t, verdict, index);
	if (verdict->group == NONE)
		return;
	group = &t->group[verdict->group];
	group->is_pinned |= entry->is_pinned;
	group->is_critical |= entry->is_critical;
	if (verdict->answers == NONE)
		return;
	entry->call = verdict->answers;
	t->call[verdict->answers].result = index;
	group->answered++;
	group->last = index;
}

static void
set_attributes(struct entry *entry, const struct message *message, const struct verdict *verdict)
{
	entry->role = (uint8_t)message->role;
	entry->origin = (uint8_t)verdict->origin;
	entry->outside = verdict->outside;
	entry->is_trace = verdict->is_trace;
	entry->has_calls = verdict->has_calls;
	entry->is_error = message_is(message, METADATA_IS_ERROR) || verdict->origin == ORIGIN_ERROR;
	entry->is_pinned = message_is(message, METADATA_PINNED);
	entry->is_critical = message_is(message, METADATA_CRITICAL);
	entry->is_compacted = message_is(message, METADATA_COMPACTED);
	entry->is_summary = json_is(message->meta[METADATA_KIND], STR("summary"));
	entry->is_artifact = message_is_artifact(message);
	entry->has_metadata = message->metadata.type != JSON_ABSENT ||
	    message->meta[METADATA_TIMESTAMP].type != JSON_ABSENT;
	entry->is_text = message->content.type != JSON_ARRAY;
	entry->says_resolves = message->meta[METADATA_RESOLVES].type != JSON_ABSENT;
	entry->says_forgets = message->meta[METADATA_FORGETS].type != JSON_ABSENT;
	entry->says_resolved = message->meta[METADATA_RESOLVED].type != JSON_ABSENT;
	entry->says_id = message->meta[METADATA_ID].type == JSON_STRING;
	entry->says_keys = call_digest_noted(message, 0).len > 0;
}

/* Whether the walk's call of that number is forgotten, or its group is given up. */
static bool
is_gone(const struct session *t, uint32_t number)
{
	return number != NONE &&
	    (number < t->gone.calls || t->group[t->call[number - t->gone.calls].group].is_given_up);
}

/* The result of a call that is gone. */
static void
add_forgotten(struct session *t, struct entry *entry, uint32_t number)
{
	uint64_t call = map_get(&t->gone.call_by_number, hash_number(number, hash_seed(HASH_CALL)));

	if (entry->outside || call == MAP_NONE)
		return;
	entry->is_forgotten = true;
	map_remove(&t->gone.call_by_number, hash_number(number, hash_seed(HASH_CALL)));
	LIST_ROOM(t->gone.result, t->gone.result_count, t->gone.result_cap);
	t->gone.result[t->gone.result_count++] = (uint32_t)call;
}

/* Turns the numbers in the verdict into indexes of the session: both differ by what a window
 * forgot. */
static void
set_indexes(struct session *t, struct entry *entry, struct verdict *verdict)
{
	if (is_gone(t, verdict->answers)) {
		add_forgotten(t, entry, verdict->answers);
		verdict->answers = verdict->group = NONE;
	}
	if (verdict->execution != NONE)
		verdict->execution -= t->gone.executions;
	if (verdict->answers != NONE)
		verdict->answers -= t->gone.calls;
	if (verdict->group != NONE)
		verdict->group -= t->gone.groups;
	verdict->first_call -= verdict->has_calls ? t->gone.calls : 0;
}

void
session_add(struct session *t, const struct line *line, const struct message *message)
{
	struct entry *entry = new_entry(t, line, message);
	struct verdict verdict;

	if (message->kind == RECORD_BAD)
		freeze_groups(t);
	if (message->kind != RECORD_MESSAGE)
		return;
	t->message_count++;
	walk_add(&t->walk, message, &verdict);
	set_attributes(entry, message, &verdict);
	t->notes_digests |= entry->says_keys;
	set_indexes(t, entry, &verdict);
	set_execution(t, entry, &verdict);
	set_pair(t, entry, &verdict);
	settle_both(t, verdict.answer, verdict.error);
	if (verdict.is_answer)
		t->answer = t->count - 1;
	if (verdict.is_error_message)
		t->error = t->count - 1;
	if (!verdict.is_request)
		return;
	t->turn_count = verdict.turn;
	t->freeze_from = t->group_count;
}

/* What ptr is in the copy of text that is at to; ptr itself when it is not in the text. */
static const char *
move(const char *ptr, struct str text, const char *to)
{
	bool is_within = ptr >= text.ptr && ptr < text.ptr + text.len;

	return is_within ? to + (ptr - text.ptr) : ptr;
}

void
session_add_copy(
    struct session *t, const struct line *line, const struct message *message, struct str text)
{
	uint32_t i = t->call_count;

	session_add(t, line, message);
	for (; i < t->call_count; i++) {
		struct call *call = &t->call[i];

		call->id.ptr = move(call->id.ptr, text, line->text.ptr);
		call->name.ptr = move(call->name.ptr, text, line->text.ptr);
		call->arguments.ptr = move(call->arguments.ptr, text, line->text.ptr);
	}
}

static struct str
read_section(struct session *t, const struct entry *entry)
{
	struct message message;

	if (!entry->has_metadata)
		return STR("messages");
	entry_parse(entry, &message);
	return message_section(&message, &t->scratch);
}

struct str
session_section(struct session *t, const struct entry *entry)
{
	struct group *group;

	if (entry->group == NONE)
		return read_section(t, entry);
	group = &t->group[entry->group];
	/* Kept, since a message may have many calls, and each result asks for the section. */
	if (group->section.ptr == NULL)
		group->section = arena_copy(&t->arena, read_section(t, &t->entry[group->entry]));
	return group->section;
}

bool
session_is_in_section(struct session *t, const struct entry *entry, struct str name)
{
	return entry->kind == RECORD_MESSAGE && !entry->outside &&
	    str_eq(session_section(t, entry), name);
}
