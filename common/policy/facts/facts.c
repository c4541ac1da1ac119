#include "policy/facts/facts.h"

#include <stdlib.h>

#include "data/change.h"
#include "data/session/declined.h"
#include "json/string.h"
#include "policy/digest/line_class.h"
#include "policy/facts/call_outcome.h"
#include "policy/text/call_text.h"
#include "policy/text/line_start.h"

enum { REFUSAL_SHOWN = 400 }; /* bytes of the user's words */

struct json_value
facts_of(const struct entry *entry)
{
	struct message message;

	entry_parse(entry, &message);
	if (message.metadata.type != JSON_OBJECT)
		return (struct json_value){NULL, 0, JSON_ABSENT, 0};
	return message.meta[METADATA_FACTS];
}

static void
add_file(void *context, enum tool_op kind, struct str path)
{
	static const uint8_t list_of[] = {
	    [TOOL_READ] = FACTS_READ, [TOOL_EDIT] = FACTS_MODIFIED, [TOOL_DELETE] = FACTS_DELETED};
	struct facts *facts = context;

	if (kind == TOOL_DELETE) {
		things_take_out(&facts->list[FACTS_READ], path);
		things_take_out(&facts->list[FACTS_MODIFIED], path);
	} else {
		things_take_out(&facts->list[FACTS_DELETED], path);
	}
	things_add(&facts->list[list_of[kind]], path);
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
add_traced_attempt(struct facts *facts, struct json_value from, struct json_value target,
    struct json_value outcome)
{
	struct json_value tool = json_find(from, STR("tool")), key = json_find(from, STR("key"));
	struct buf name = BUF_INIT, path = BUF_INIT, digits = BUF_INIT, label = BUF_INIT;

	if (tool.type == JSON_STRING && (target.type == JSON_STRING || key.type == JSON_STRING)) {
		retries_write_label(json_text(tool, &name),
		    target.type == JSON_STRING ? json_text(target, &path) : STR(""), &label);
		retries_add_trace(&facts->retries, &facts->list[FACTS_ATTEMPTS], buf_str(&label),
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
		add_traced_attempt(facts, from, target, outcome);
	if (target.type == JSON_STRING && json_is(outcome, STR("ok")))
		add_use(facts, known, json_text(target, &text));
	things_read(&facts->list[FACTS_INSTRUCTIONS], json_find(from, STR("instructions")));
	buf_free(&text);
}

void
facts_add_trace(struct facts *facts, struct json_value from)
{
	struct json_value calls = json_find(from, STR("calls"));

	add_trace_call(facts, from);
	for (struct json_walk walk = json_walk_list(calls); json_walk_next(&walk);)
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

	struct str name = str_behind_last(path, '/');

	return STR_IS_ONE_OF(name, names) && !STR_HAS_ANY(path, others) ? name : STR("");
}

/* What a project's instruction file that was read forbids or obliges. */
void
facts_add_instructions(struct facts *facts, const struct session *t, uint32_t index)
{
	const struct call *call = &t->call[index];
	struct str file = instruction_file(call->use.target);
	struct constraints_reader reader = {.own = facts->constraints.own};
	struct things rules = {.count = 0};
	struct buf text = BUF_INIT, lines = BUF_INIT;
	struct str rest;

	if (call->use.op != TOOL_READ || file.len == 0)
		return;
	rest = change_base_text(t, call->result, &text);
	while (rest.len > 0) {
		buf_add_str(&lines, line_class_bare(str_take_line(&rest)));
		buf_add_char(&lines, '\n');
	}
	constraints_add(&rules, &reader, &t->entry[call->result], buf_str(&lines));
	for (uint32_t i = 0; i < rules.used; i++) {
		if (rules.item[i].len == 0 || !constraints_is_strict(rules.item[i], reader.own))
			continue;
		buf_reset(&text);
		buf_add_str(&text, file);
		buf_add_str(&text, STR(": "));
		buf_add_str(&text, rules.item[i]);
		things_add(&facts->list[FACTS_INSTRUCTIONS], buf_str(&text));
	}
	things_free(&rules);
	free(reader.read);
	buf_free(&text);
	buf_free(&lines);
}

bool
facts_add_refusal(struct facts *facts, const struct session *t, uint32_t index)
{
	const struct call *call = &t->call[index];
	struct buf text = BUF_INIT, rule = BUF_INIT;
	struct str words;
	bool is_refused = t->entry[call->result].is_error &&
	    declined_find(change_base_text(t, call->result, &text), &words);

	if (is_refused && words.len > 0) {
		buf_add_str(&rule, STR("Refused, "));
		call_text_add_tool(call, &rule);
		buf_add_char(&rule, ' ');
		call_text_add_target(call, &rule);
		buf_add_str(&rule, STR(": "));
		line_start_add(words, REFUSAL_SHOWN, &rule);
		things_add(&facts->list[FACTS_CONSTRAINTS], buf_str(&rule));
	}
	buf_free(&text);
	buf_free(&rule);
	return is_refused;
}

void
facts_add_files(struct facts *facts, const struct session *t, uint32_t index)
{
	const struct call *call = &t->call[index];

	if (!call_outcome_is_undone(t, call))
		add_use(facts, call->use.op, call->use.target);
}

void
facts_add_attempt(struct facts *facts, const struct session *t, uint32_t index)
{
	struct things *list = &facts->list[FACTS_ATTEMPTS];
	uint32_t result = t->call[index].result;

	retries_add(&facts->retries, list, t, facts->attempts, &facts->places, index);
	if (result != NONE && !t->entry[result].is_error)
		retries_settle(&facts->retries, list, t, index);
}

void
facts_read_attempts(struct facts *facts, struct json_value array)
{
	retries_read(&facts->retries, &facts->list[FACTS_ATTEMPTS], array);
}

/* Reads the places in the member "request" as entries. */
static void
read_request(const struct places *places, const struct session *t, struct json_value request,
    struct keep_request *to)
{
	uint64_t place[2] = {0, 0};
	struct json_walk walk = json_walk_list(request);

	for (unsigned i = 0; i < 2 && json_walk_next(&walk); i++)
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
	count = json_count(json_find(facts_of(&t->entry[artifact]), STR("framing")));
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
	json_member_open(w, STR("request"), '[');
	json_put_integer(w, (int64_t)places_of(&facts->places, first));
	json_put_integer(w, (int64_t)places_of(&facts->places, newest));
	json_close(w);
}
