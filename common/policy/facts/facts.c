#include "policy/facts/facts.h"

#include <stdlib.h>

#include "data/change.h"
#include "data/message/texts.h"
#include "json/string.h"
#include "policy/facts/failed.h"
#include "policy/digest/constraints.h"

static const struct {
	struct str name; /* of the member that lists the things */
	bool is_json;
} lists[FACTS_LISTS] = {
    [FACTS_READ] = {STR_INIT("files_read"), false},
    [FACTS_MODIFIED] = {STR_INIT("files_modified"), false},
    [FACTS_UNRESOLVED] = {STR_INIT("unresolved"), true},
    [FACTS_CONSTRAINTS] = {STR_INIT("constraints"), false},
    [FACTS_INSTRUCTIONS] = {STR_INIT("instructions"), false},
};

void
facts_open(struct facts *facts)
{
	*facts = (struct facts){.dropped = 0};
	for (unsigned i = 0; i < FACTS_LISTS; i++)
		facts->list[i].is_json = lists[i].is_json;
}

void
facts_close(struct facts *facts)
{
	for (unsigned i = 0; i < FACTS_LISTS; i++)
		things_free(&facts->list[i]);
	free(facts->constraints);
	tried_free(&facts->tried);
	places_free(&facts->places);
}

struct json_value
facts_of(const struct entry *entry)
{
	struct message message;

	entry_parse(entry, &message);
	if (message.metadata.type != JSON_OBJECT)
		return (struct json_value){NULL, 0, JSON_ABSENT, 0};
	return message.meta[METADATA_FACTS];
}

static uint64_t
count_of(struct json_value object, struct str name)
{
	int64_t number = json_integer(json_find(object, name), 0);

	return number > 0 ? (uint64_t)number : 0;
}

/* Merges the facts that any summary has. */
static void
add_summary(struct facts *facts, struct json_value from)
{
	facts->dropped += count_of(from, STR("dropped"));
	for (unsigned i = 0; i < FACTS_LISTS; i++)
		things_read(&facts->list[i], json_find(from, lists[i].name));
	tried_read(&facts->tried, json_find(from, STR("attempts")));
}

void
facts_add_artifact(struct facts *facts, struct json_value from)
{
	add_summary(facts, from);
	places_read(&facts->places, json_find(from, STR("covers")));
}

static void
add_file(void *context, enum tool_op kind, struct str path)
{
	struct facts *facts = context;

	things_add(&facts->list[kind == TOOL_READ ? FACTS_READ : FACTS_MODIFIED], path);
}

/* Adds the files that a call touched which did target by the operation. */
static void
add_use(struct facts *facts, enum tool_op op, struct str target)
{
	struct arena scratch = ARENA_INIT;

	tool_files(op, target, &scratch, add_file, facts);
	arena_free(&scratch);
}

static void
add_attempt(struct facts *facts, struct json_value from, struct json_value target,
    struct json_value outcome)
{
	struct json_value tool = json_find(from, STR("tool")), key = json_find(from, STR("key"));
	struct buf name = BUF_INIT, path = BUF_INIT, digits = BUF_INIT, label = BUF_INIT;

	if (tool.type == JSON_STRING && (target.type == JSON_STRING || key.type == JSON_STRING)) {
		tried_write_label(json_text(tool, &name),
		    target.type == JSON_STRING ? json_text(target, &path) : STR(""), &label);
		tried_add_trace(&facts->tried, buf_str(&label),
		    key.type == JSON_STRING ? json_text(key, &digits) : STR(""), outcome);
	}
	buf_free(&name);
	buf_free(&path);
	buf_free(&digits);
	buf_free(&label);
}

/* Merges the facts that a trace artifact has of one call. */
static void
add_trace_call(struct facts *facts, struct json_value from)
{
	struct json_value target = json_find(from, STR("target"));
	struct json_value op = json_find(from, STR("op"));
	struct json_value outcome = json_find(from, STR("outcome"));
	struct buf text = BUF_INIT;
	enum tool_op known = TOOL_OTHER;

	if (op.type == JSON_STRING)
		known = tool_op_of(json_text(op, &text));
	if (outcome.type == JSON_STRING)
		add_attempt(facts, from, target, outcome);
	if (target.type == JSON_STRING && json_is(outcome, STR("ok")))
		add_use(facts, known, json_text(target, &text));
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

/* The name of an instruction file of the project itself; "" for another path. */
static struct str
instruction_file(struct str path)
{
	static const struct str names[] = {STR_INIT("AGENTS.md"), STR_INIT("CLAUDE.md"),
	    STR_INIT("GEMINI.md"), STR_INIT("CONTRIBUTING.md")};
	static const struct str others[] = {
	    STR_INIT("node_modules/"), STR_INIT("vendor/"), STR_INIT("site-packages/")};

	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (str_find(path, others[i]) != NULL)
			return STR("");
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (str_eq(path, names[i]) ||
		    (str_has_suffix(path, names[i]) &&
			path.ptr[path.len - names[i].len - 1] == '/'))
			return names[i];
	return STR("");
}

/* What a project's instruction file that was read forbids or obliges. */
static void
add_instructions(struct facts *facts, const struct session *t, const struct call *call)
{
	struct str file = instruction_file(call->use.target);
	struct constraints_read *read = NULL;
	struct things rules = {.count = 0};
	struct buf text = BUF_INIT;

	if (call->use.op != TOOL_READ || file.len == 0)
		return;
	constraints_add(
	    &rules, &read, &t->entry[call->result], change_base_text(t, call->result, &text));
	for (uint32_t i = 0; i < rules.used; i++) {
		if (rules.item[i].len == 0 || !constraints_is_strict(rules.item[i]))
			continue;
		buf_reset(&text);
		buf_add_str(&text, file);
		buf_add_str(&text, STR(": "));
		buf_add_str(&text, rules.item[i]);
		things_add(&facts->list[FACTS_INSTRUCTIONS], buf_str(&text));
	}
	things_free(&rules);
	free(read);
	buf_free(&text);
}

static void
add_call(
    struct facts *facts, const struct session *t, const struct attempts *attempts, uint32_t index)
{
	const struct call *call = &t->call[index];

	tried_add(&facts->tried, t, attempts, index);
	failed_add(&facts->list[FACTS_UNRESOLVED], t, index);
	if (call->result == NONE || t->entry[call->result].is_error)
		return;
	add_use(facts, call->use.op, call->use.target);
	add_instructions(facts, t, call);
}

static void
add_constraints(struct facts *facts, const struct entry *entry)
{
	struct buf text = BUF_INIT;
	struct message message;

	entry_parse(entry, &message);
	message_read_text(&message, &text);
	constraints_add(
	    &facts->list[FACTS_CONSTRAINTS], &facts->constraints, entry, buf_str(&text));
	buf_free(&text);
}

void
facts_add(
    struct facts *facts, const struct session *t, const struct attempts *attempts, uint32_t index)
{
	const struct entry *entry = &t->entry[index];

	facts->dropped++;
	places_drop(&facts->places, index);
	if (entry->is_summary && entry->role != ROLE_TOOL && !entry->has_calls)
		add_summary(facts, facts_of(entry));
	else if (entry->is_artifact)
		add_trace(facts, facts_of(entry));
	if (constraints_may_stand_in(entry))
		add_constraints(facts, entry);
	if (!entry->has_calls)
		return;
	for (uint32_t i = 0; i < t->group[entry->group].calls; i++)
		add_call(facts, t, attempts, t->group[entry->group].first_call + i);
}

void
facts_write_lists(const struct facts *facts, bool measured, struct json_writer *w)
{
	static const struct things none = {.count = 0};
	static const struct tried none_tried = {.count = 0};

	for (unsigned i = 0; i < FACTS_LISTS; i++) {
		if (i >= FACTS_CONSTRAINTS && facts->list[i].count == 0)
			continue;
		json_name(w, lists[i].name);
		things_write(measured ? &none : &facts->list[i], w);
	}
	if (facts->tried.shown == 0)
		return;
	json_name(w, STR("attempts"));
	tried_write(measured ? &none_tried : &facts->tried, w);
}

size_t
facts_len(const struct facts *facts)
{
	size_t len = facts->places.len + facts->tried.json_len;

	for (unsigned i = 0; i < FACTS_LISTS; i++)
		len += facts->list[i].json_len;
	return len;
}

/* Reads the places in the member "request" as entries. */
static void
read_request(const struct places *places, const struct session *t, struct json_value request,
    struct keep_request *to)
{
	uint64_t place[2] = {0, 0};
	struct json_walk walk;

	json_walk_open(&walk, request);
	for (unsigned i = 0; i < 2 && request.type == JSON_ARRAY && json_walk_next(&walk); i++)
		place[i] = (uint64_t)json_integer(walk.value, 0);
	for (uint32_t i = 0; i < t->count && place[0] > 0; i++) {
		uint64_t at = places_of(places, i);

		if (at >= place[0] && to->first == NONE)
			to->first = i;
		if (at > 0 && at == place[1])
			to->newest = i;
	}
}

struct keep_request
facts_request(const struct session *t, uint32_t artifact)
{
	struct keep_request request = {NONE, NONE};
	struct places places = {.count = 0};
	struct json_value from;

	if (artifact == NONE)
		return request;
	from = facts_of(&t->entry[artifact]);
	places_read(&places, json_find(from, STR("covers")));
	places_begin(&places, t, artifact);
	read_request(&places, t, json_find(from, STR("request")), &request);
	places_free(&places);
	return request;
}

uint64_t
facts_framing(const struct session *t, uint32_t artifact)
{
	uint64_t count;

	if (artifact == NONE)
		return FRAMING_ANY;
	count = count_of(facts_of(&t->entry[artifact]), STR("framing"));
	return count > 0 ? count : 1;
}

void
facts_write_framing(uint64_t count, struct json_writer *w)
{
	if (count > 1)
		json_member_integer(w, STR("framing"), (int64_t)count);
}

void
facts_write_request(
    const struct facts *facts, uint32_t first, uint32_t newest, struct json_writer *w)
{
	if (first >= newest)
		return;
	json_name(w, STR("request"));
	json_open(w, '[');
	json_put_integer(w, (int64_t)places_of(&facts->places, first));
	json_put_integer(w, (int64_t)places_of(&facts->places, newest));
	json_close(w);
}
