#include "data/session.h"

#include <stdlib.h>

#include "base/mem.h"
#include "json/canon.h"
#include "json/text.h"

void
session_init(struct session *t)
{
	*t = (struct session){.first_user = NONE, .answer = NONE, .error = NONE};
	walk_init(&t->walk);
}

void
session_free(struct session *t)
{
	walk_free(&t->walk);
	arena_free(&t->arena);
	buf_free(&t->scratch);
	free(t->entry);
	free(t->execution);
	free(t->group);
	free(t->call);
}

struct str
entry_text(const struct entry *entry)
{
	return str_of(entry->raw + entry->before, entry->len - entry->before - entry->after);
}

void
entry_parse(const struct entry *entry, struct message *message)
{
	message_parse(message, entry_text(entry));
}

bool
session_is_current(const struct session *t, const struct entry *entry)
{
	return entry->execution != NONE && t->execution[entry->execution].is_current;
}

static void *
grow(void *list, uint32_t *cap, uint32_t count, size_t size)
{
	size_t wanted;

	if (count < *cap)
		return list;
	wanted = mem_grow(*cap, (size_t)count + 1);
	if (wanted >= NONE)
		mem_exhausted();
	*cap = (uint32_t)wanted;
	return mem_realloc(list, wanted, size);
}

static struct entry *
new_entry(struct session *t, const struct line *line, const struct message *message)
{
	struct entry *entry;

	t->entry = grow(t->entry, &t->cap, t->count, sizeof *t->entry);
	entry = &t->entry[t->count++];
	*entry = (struct entry){
	    .raw = line->raw.ptr,
	    .len = (uint32_t)line->raw.len,
	    .before = (uint8_t)(line->text.ptr - line->raw.ptr),
	    .after = (uint8_t)(line->raw.ptr + line->raw.len - (line->text.ptr + line->text.len)),
	    .kind = (uint8_t)message->kind,
	    .is_continued = line->continued,
	    .execution = NONE, .turn = NONE, .group = NONE, .call = NONE,
	    .outside = true,
	};
	return entry;
}

/* A bad line may hold the result that a group since the last user message lacks. */
static void
freeze_groups(struct session *t)
{
	for (uint32_t i = t->freeze_from; i < t->group_count; i++)
		t->group[i].is_frozen |= t->group[i].answered < t->group[i].calls;
	t->freeze_from = t->group_count;
}

static void
set_execution(struct session *t, struct entry *entry, const struct verdict *verdict)
{
	uint32_t index = (uint32_t)(entry - t->entry);

	entry->execution = verdict->execution;
	entry->turn = verdict->turn;
	if (verdict->execution == NONE)
		return;
	if (verdict->execution_began) {
		t->execution = grow(t->execution, &t->execution_cap, t->execution_count,
		    sizeof *t->execution);
		t->execution[t->execution_count++] = (struct execution){
		    .id = arena_copy(&t->arena, walk_execution_id(&t->walk)),
		    .first = index, .final = NONE};
	}
	t->execution[verdict->execution].last = index;
}

static void
settle(struct session *t, uint32_t *candidate, enum fate fate)
{
	struct entry *entry;

	if (fate == FATE_OPEN)
		return;
	if (fate == FATE_FINAL) {
		entry = &t->entry[*candidate];
		entry->is_final = true;
		t->execution[entry->execution].final = *candidate;
	}
	*candidate = NONE;
}

void
session_settle(struct session *t, enum fate answer, enum fate error)
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

/* Two calls with equal keys are the same call. */
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

const struct call *
session_learn(struct session *t, uint32_t index)
{
	struct call *call = &t->call[index];
	struct arena scratch = ARENA_INIT;
	struct json_value arguments;

	if (call->is_learned)
		return call;
	arguments = tool_arguments(call->arguments, &scratch);
	call->key = call_key(t, call, arguments);
	tool_classify(call->name, arguments, &scratch, &call->use);
	call->use.target = arena_copy(&t->arena, call->use.target);
	call->is_learned = true;
	arena_free(&scratch);
	return call;
}

void
session_learn_all(struct session *t)
{
	for (uint32_t i = 0; i < t->call_count; i++)
		session_learn(t, i);
}

static void
add_call(struct session *t, const struct tool_call *from, uint32_t group)
{
	t->call = grow(t->call, &t->call_cap, t->call_count, sizeof *t->call);
	t->call[t->call_count++] = (struct call){
	    .id = keep_text(t, from->id), .name = keep_text(t, from->name),
	    .arguments = from->arguments, .group = group, .result = NONE, .older = NONE};
}

static void
add_group(struct session *t, const struct verdict *verdict, uint32_t entry)
{
	t->group = grow(t->group, &t->group_cap, t->group_count, sizeof *t->group);
	t->group[t->group_count++] = (struct group){.entry = entry, .last = entry,
	    .first_call = verdict->first_call, .calls = verdict->calls};
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
	entry->is_compacted = message_is(message, METADATA_COMPACTED);
	entry->is_summary = json_is(message->meta[METADATA_KIND], STR("summary"));
	entry->is_artifact = message_is_artifact(message);
	entry->is_text = message->content.type != JSON_ARRAY;
	entry->says_resolves = message->meta[METADATA_RESOLVES].type != JSON_ABSENT;
	entry->says_resolved = message->meta[METADATA_RESOLVED].type != JSON_ABSENT;
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
	set_execution(t, entry, &verdict);
	set_pair(t, entry, &verdict);
	session_settle(t, verdict.answer, verdict.error);
	if (verdict.is_answer)
		t->answer = t->count - 1;
	if (verdict.is_error_message)
		t->error = t->count - 1;
	if (verdict.outside || verdict.origin != ORIGIN_USER)
		return;
	t->turn_count = verdict.turn;
	t->freeze_from = t->group_count;
	if (t->first_user == NONE)
		t->first_user = t->count - 1;
}

struct str
session_section(const struct session *t, const struct entry *entry, struct buf *buf)
{
	const struct entry *of = entry->group != NONE ? &t->entry[t->group[entry->group].entry] : entry;
	struct message message;

	entry_parse(of, &message);
	if (message.metadata.type == JSON_OBJECT && message.meta[METADATA_SECTION].type == JSON_STRING)
		return json_text(message.meta[METADATA_SECTION], buf);
	return of->is_summary ? STR("summary") : STR("messages");
}

void
session_replace(struct session *t, uint32_t index, struct str text)
{
	struct entry *entry = &t->entry[index];
	size_t len = entry->before + text.len + entry->after;
	char *raw = arena_alloc(&t->arena, len + JSON_PADDING);

	if (len >= UINT32_MAX)
		mem_exhausted();
	memcpy(raw, entry->raw, entry->before);
	memcpy(raw + entry->before, text.ptr, text.len);
	memcpy(raw + entry->before + text.len, entry->raw + entry->len - entry->after, entry->after);
	memset(raw + len, 0, JSON_PADDING);
	entry->raw = raw;
	entry->len = (uint32_t)len;
	entry->is_changed = true;
}
