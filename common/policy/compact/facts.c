#include "policy/compact/facts.h"

#include <stdlib.h>

#include "base/mem.h"
#include "json/text.h"

enum { ITEM_MAX = 500 }; /* bytes of a thing that is named */

/* The stream is of the agent that its first message is of. */
static void
find_agent(struct facts *facts, const struct session *t)
{
	struct message message;
	uint32_t i = 0;

	while (i < t->count && t->entry[i].kind != RECORD_MESSAGE)
		i++;
	if (i == t->count)
		return;
	entry_parse(&t->entry[i], &message);
	if (message.metadata.type != JSON_OBJECT ||
	    message.meta[METADATA_PARENT_EXECUTION_ID].type != JSON_STRING)
		return;
	facts->agent_id = message.meta[METADATA_AGENT_ID];
	facts->parent_execution_id = message.meta[METADATA_PARENT_EXECUTION_ID];
}

void
facts_init(struct facts *facts, const struct session *t)
{
	*facts = (struct facts){.dropped = 0};
	find_agent(facts, t);
}

void
facts_free(struct facts *facts)
{
	map_free(&facts->files_read.known);
	map_free(&facts->files_modified.known);
	map_free(&facts->unresolved.known);
	arena_free(&facts->arena);
	free(facts->covered);
}

uint32_t
facts_place(const struct session *t)
{
	uint32_t i = 0;

	while (i < t->count && (t->entry[i].kind != RECORD_MESSAGE ||
	    t->entry[i].role == ROLE_SYSTEM || t->entry[i].role == ROLE_DEVELOPER))
		i++;
	if (t->first_user != NONE && t->first_user >= i)
		i = t->first_user + 1;
	/* Nothing stands before a byte order mark. */
	return i == 0 && t->count > 0 && t->entry[0].before > 0 ? 1 : i;
}

static struct json_value
facts_of(const struct entry *entry)
{
	struct message message;

	entry_parse(entry, &message);
	if (message.metadata.type != JSON_OBJECT)
		return (struct json_value){NULL, 0, JSON_ABSENT, 0};
	return message.meta[METADATA_FACTS];
}

bool
facts_is_summary(const struct entry *entry)
{
	return entry->is_summary && entry->role != ROLE_TOOL && !entry->has_calls;
}

uint32_t
facts_find(const struct session *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		const struct entry *entry = &t->entry[i];

		if (entry->kind == RECORD_MESSAGE && !entry->outside && facts_is_summary(entry) &&
		    entry->is_compacted && !entry->is_pinned && entry->role == ROLE_USER &&
		    json_find(facts_of(entry), STR("dropped")).type == JSON_NUMBER)
			return i;
	}
	return NONE;
}

/* A copy that JSON can be read from. */
static struct str
copy_padded(struct arena *arena, struct str item)
{
	char *copy = arena_zalloc(arena, 1, item.len + JSON_PADDING);

	memcpy(copy, item.ptr, item.len);
	return str_of(copy, item.len);
}

/* Puts item at the end of the list; the oldest makes room. */
static void
add_item(struct facts *facts, struct fact_list *list, struct str item)
{
	unsigned i = 0;

	if (item.len == 0)
		return;
	map_set(&list->known, hash_bytes(item, hash_seed(HASH_LABEL)), 1);
	if (item.len > ITEM_MAX)
		return;
	while (i < list->count && !str_eq(list->item[i], item))
		i++;
	if (i < list->count)
		item = list->item[i];
	else
		item = copy_padded(&facts->arena, item);
	if (i == FACTS_LIST_MAX)
		i = 0;
	if (i < list->count)
		memmove(&list->item[i], &list->item[i + 1],
		    (--list->count - i) * sizeof list->item[0]);
	list->item[list->count++] = item;
}

static void
add_strings(struct facts *facts, struct fact_list *list, struct json_value array)
{
	struct buf text = BUF_INIT;
	struct json_walk walk;

	json_walk_open(&walk, array);
	while (array.type == JSON_ARRAY && json_walk_next(&walk))
		if (walk.value.type == JSON_STRING)
			add_item(facts, list, json_text(walk.value, &text));
	buf_free(&text);
}

static void
add_values(struct facts *facts, struct fact_list *list, struct json_value array)
{
	struct json_walk walk;

	json_walk_open(&walk, array);
	while (array.type == JSON_ARRAY && json_walk_next(&walk))
		add_item(facts, list, json_span(walk.value));
}

static uint64_t
count_of(struct json_value object, struct str name)
{
	int64_t number = json_integer(json_find(object, name), 0);

	return number > 0 ? (uint64_t)number : 0;
}

static void
add_summary(struct facts *facts, struct json_value from)
{
	facts->dropped += count_of(from, STR("dropped"));
	facts->files_read.lost += count_of(from, STR("files_read_more"));
	facts->files_modified.lost += count_of(from, STR("files_modified_more"));
	facts->unresolved.lost += count_of(from, STR("unresolved_more"));
	add_strings(facts, &facts->files_read, json_find(from, STR("files_read")));
	add_strings(facts, &facts->files_modified, json_find(from, STR("files_modified")));
	add_values(facts, &facts->unresolved, json_find(from, STR("unresolved")));
}

static void
add_covered(struct facts *facts, struct fact_range range)
{
	size_t count = facts->covered_count;
	uint64_t after = count == 0 ? 0 : facts->covered[count - 1].last;

	if (range.first <= after || range.last < range.first)
		return; /* nobody who keeps the order wrote this */
	if ((count & (count - 1)) == 0)
		facts->covered = mem_realloc(facts->covered, count == 0 ? 1 : count * 2,
		    sizeof range);
	facts->covered[facts->covered_count++] = range;
}

void
facts_add_artifact(struct facts *facts, const struct session *t, uint32_t index)
{
	struct json_value from = facts_of(&t->entry[index]);
	struct json_value covers = json_find(from, STR("covers"));
	struct json_walk ranges, ends;

	add_summary(facts, from);
	json_walk_open(&ranges, covers);
	while (covers.type == JSON_ARRAY && json_walk_next(&ranges)) {
		struct fact_range range = {0, 0};

		json_walk_open(&ends, ranges.value);
		if (ranges.value.type == JSON_ARRAY && json_walk_next(&ends))
			range.first = (uint64_t)json_integer(ends.value, 0);
		if (range.first > 0 && range.first <= INT64_MAX && json_walk_next(&ends))
			range.last = (uint64_t)json_integer(ends.value, 0);
		if (range.last <= INT64_MAX)
			add_covered(facts, range);
	}
}

/* What a trace artifact says of one call. */
static void
add_trace_call(struct facts *facts, struct json_value from)
{
	struct json_value target = json_find(from, STR("target")), op = json_find(from, STR("op"));
	struct buf text = BUF_INIT;

	if (target.type == JSON_STRING && json_is(json_find(from, STR("outcome")), STR("ok"))) {
		if (json_is(op, STR("read")))
			add_item(facts, &facts->files_read, json_text(target, &text));
		else if (json_is(op, STR("write")) || json_is(op, STR("edit")))
			add_item(facts, &facts->files_modified, json_text(target, &text));
	}
	buf_free(&text);
}

static void
add_trace(struct facts *facts, struct json_value from)
{
	struct json_value calls = json_find(from, STR("calls"));
	struct json_walk walk;

	add_trace_call(facts, from);
	json_walk_open(&walk, calls);
	while (calls.type == JSON_ARRAY && json_walk_next(&walk))
		add_trace_call(facts, walk.value);
}

static void
add_written(void *context, struct str path)
{
	struct facts *facts = context;

	add_item(facts, &facts->files_modified, path);
}

static void
add_call(struct facts *facts, const struct session *t, const struct call *call)
{
	struct arena scratch = ARENA_INIT;

	if (call->result == NONE || t->entry[call->result].is_error)
		return;
	switch (call->use.op) {
	case TOOL_READ:
		add_item(facts, &facts->files_read, call->use.target);
		break;
	case TOOL_WRITE:
	case TOOL_EDIT:
		add_item(facts, &facts->files_modified, call->use.target);
		break;
	case TOOL_SHELL:
		tool_shell_writes(call->use.target, &scratch, add_written, facts);
		break;
	case TOOL_OTHER:
		break;
	}
	arena_free(&scratch);
}

void
facts_add(struct facts *facts, const struct session *t, uint32_t index)
{
	const struct entry *entry = &t->entry[index];

	facts->entries++;
	facts->dropped++;
	if (entry->is_summary)
		add_summary(facts, facts_of(entry));
	else if (entry->is_artifact)
		add_trace(facts, facts_of(entry));
	if (!entry->has_calls)
		return;
	for (uint32_t i = 0; i < t->group[entry->group].calls; i++)
		add_call(facts, t, &t->call[t->group[entry->group].first_call + i]);
}
