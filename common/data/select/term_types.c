#include "data/select/term_types.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "data/select/term_pattern.h"
#include "data/session/session_locks.h"
#include "json/string.h"

static bool
parse_number(struct term *term, struct buf *message)
{
	bool negative = term->value[0] == '-';
	uint64_t number;

	if (!number_parse(term->value + negative, &number)) {
		buf_add_fmt(message, "expected a number in '%s%c%s'", term->type->name,
		    term->comparison, term->value);
		return false;
	}
	term->number = negative ? -(int64_t)number : (int64_t)number;
	return true;
}

static bool
parse_count(struct term *term, struct buf *message)
{
	if (term->value[0] != '-')
		return parse_number(term, message);
	buf_add_fmt(message, "expected a number in '%s%c%s'", term->type->name, term->comparison,
	    term->value);
	return false;
}

static bool
parse_pattern(struct term *term, struct buf *message)
{
	struct buf phrase = BUF_INIT;

	term->pattern = mem_alloc(1, sizeof *term->pattern);
	if (expression_init(term->pattern, term->value, &phrase))
		return true;
	free(term->pattern);
	term->pattern = NULL;
	buf_add_fmt(message, "'%s': %.*s", term->value, (int)phrase.len, phrase.ptr);
	buf_free(&phrase);
	return false;
}

static bool
compare(int64_t actual, char comparison, int64_t wanted)
{
	if (comparison == '>')
		return actual > wanted;
	return comparison == '<' ? actual < wanted : actual == wanted;
}

static bool
is_value(const struct term *term, struct str text)
{
	return str_eq(text, str_from(term->value));
}

/* Whether a member of metadata is the string of the term. */
static bool
member_is(const struct term *term, const struct message *message, enum metadata_name name)
{
	return json_is(message->meta[name], str_from(term->value));
}

static bool
match_role(const struct term *term, const struct term_candidate *candidate)
{
	return json_is(candidate->message->role_value, str_from(term->value));
}

static enum term_answer
glance_role(const struct term *term, const struct entry *entry)
{
	if (entry->role == ROLE_OTHER)
		return TERM_UNKNOWN;
	return is_value(term, role_name((enum role)entry->role)) ? TERM_YES : TERM_NO;
}

static bool
match_origin(const struct term *term, const struct term_candidate *candidate)
{
	return is_value(term, origin_name((enum origin)candidate->entry->origin));
}

static bool
match_tool(const struct term *term, const struct term_candidate *candidate)
{
	return term_pattern_is_tool(candidate->session, candidate->entry, term->value);
}

static bool
match_target(const struct term *term, const struct term_candidate *candidate)
{
	return term_pattern_is_target(candidate->session, candidate->entry, term->value);
}

static bool
match_path(const struct term *term, const struct term_candidate *candidate)
{
	return term_pattern_is_path(candidate->session, candidate->entry, term->value);
}

static bool
match_member(const struct term *term, const struct term_candidate *candidate)
{
	return member_is(term, candidate->message, term->type->member);
}

static bool
match_section(const struct term *term, const struct term_candidate *candidate)
{
	return is_value(term, session_section(candidate->session, candidate->entry));
}

static bool
match_execution(const struct term *term, const struct term_candidate *candidate)
{
	const struct session *t = candidate->session;
	uint32_t execution = candidate->entry->execution;
	struct message nested;

	if (execution == NONE)
		return false;
	if (strcmp(term->value, "last") == 0)
		return execution + 1 == t->execution_count;
	if (candidate->entry->nested != 0) {
		entry_parse(candidate->entry, &nested);
		if (nested.meta[METADATA_EXECUTION_ID].type == JSON_STRING)
			return member_is(term, &nested, METADATA_EXECUTION_ID);
	}
	return is_value(term, t->execution[execution].id);
}

static bool
match_id(const struct term *term, const struct term_candidate *candidate)
{
	return member_is(term, candidate->message, METADATA_ID) ||
	    json_is(candidate->message->tool_call_id, str_from(term->value));
}

static bool
match_flag(const struct term *term, const struct term_candidate *candidate)
{
	return message_is(candidate->message, term->type->member);
}

static bool
match_trace(const struct term *term, const struct term_candidate *candidate)
{
	(void)term;
	return candidate->entry->is_trace;
}

static bool
match_error(const struct term *term, const struct term_candidate *candidate)
{
	(void)term;
	return candidate->entry->is_error;
}

static bool
match_unresolved(const struct term *term, const struct term_candidate *candidate)
{
	uint32_t group = candidate->entry->group;

	(void)term;
	return group != NONE && candidate->session->group[group].unresolved > 0;
}

static bool
match_final(const struct term *term, const struct term_candidate *candidate)
{
	(void)term;
	return candidate->entry->is_final;
}

static bool
match_tokens(const struct term *term, const struct term_candidate *candidate)
{
	return compare(candidate->entry->tokens, term->comparison, term->number);
}

static bool
match_bytes(const struct term *term, const struct term_candidate *candidate)
{
	return compare((int64_t)entry_text(candidate->entry).len, term->comparison, term->number);
}

/* The number of the turn that the term names, as far as the turns have come. */
static int64_t
wanted_turn(const struct term *term, const struct session *session)
{
	return term->number < 0 ? term->number + (int64_t)session->turn_count + 1 : term->number;
}

static bool
match_turn(const struct term *term, const struct term_candidate *candidate)
{
	return candidate->entry->turn != NONE &&
	    compare((int64_t)candidate->entry->turn, term->comparison,
		wanted_turn(term, candidate->session));
}

static bool
match_meta(const struct term *term, const struct term_candidate *candidate)
{
	const struct message *message = candidate->message;
	struct json_value value;

	if (message->metadata.type != JSON_OBJECT)
		return false;
	value = json_find(message->metadata, str_from(term->name));
	if (value.type == JSON_STRING)
		return json_is(value, str_from(term->value));
	return value.type != JSON_ABSENT && is_value(term, json_span(value));
}

static bool
match_text(const struct term *term, const struct term_candidate *candidate)
{
	return term_pattern_in_text(candidate->message, term->pattern);
}

static bool
match_arguments(const struct term *term, const struct term_candidate *candidate)
{
	return term_pattern_in_arguments(candidate->session, candidate->entry, term->pattern);
}

/* Whether it is certain if the execution of the message is the one that the term means. */
static bool
knows_execution(const struct term *term, const struct term_candidate *candidate)
{
	uint32_t execution = candidate->entry->execution;

	return strcmp(term->value, "last") != 0 || execution == NONE ||
	    execution + 1 < candidate->session->execution_count;
}

static bool
knows_unresolved(const struct term *term, const struct term_candidate *candidate)
{
	const struct session *t = candidate->session;
	uint32_t group = candidate->entry->group;

	(void)term;
	return group == NONE || session_is_judged(t, &t->group[group]);
}

/* A message that is not a candidate, or no longer one, will never be the final response. */
static bool
knows_final(const struct term *term, const struct term_candidate *candidate)
{
	const struct session *t = candidate->session;
	uint32_t index = (uint32_t)(candidate->entry - t->entry);

	(void)term;
	return index != t->answer && index != t->error;
}

/* The number of a turn that is counted from the end only grows. */
static bool
knows_turn(const struct term *term, const struct term_candidate *candidate)
{
	int64_t turn = candidate->entry->turn, wanted = wanted_turn(term, candidate->session);

	return term->number >= 0 || candidate->entry->turn == NONE || turn < wanted ||
	    (term->comparison == '>' && turn == wanted);
}

static struct str
common_role(size_t i)
{
	return i < ROLE_TOOL ? role_name((enum role)(i + 1)) : STR("");
}

static struct str
common_origin(size_t i)
{
	return i < ORIGIN_INJECTED ? origin_name((enum origin)(i + 1)) : STR("");
}

static struct str
common_kind(size_t i)
{
	static const struct str kinds[] = {STR_INIT("summary"), STR_INIT("trace"), STR_INIT("")};

	return kinds[i];
}

static struct str
common_section(size_t i)
{
	static const struct str sections[] = {STR_INIT("messages"), STR_INIT("buffer"),
	    STR_INIT("summary"), STR_INIT("execution_buffer"), STR_INIT("")};

	return sections[i];
}

/* The table of terms. After a name that ends with a dot comes the name of a member. */
const struct term_type term_types[] = {
    {"role", "=", TERM_MESSAGE, NULL, match_role, NULL, glance_role, .common = common_role},
    {"origin", "=", TERM_ENTRY, NULL, match_origin, NULL, .common = common_origin},
    {"tool", "=", TERM_ENTRY, NULL, match_tool, NULL},
    {"target", "=", TERM_ENTRY, NULL, match_target, NULL},
    {"path", "=", TERM_ENTRY, NULL, match_path, NULL},
    {"kind", "=", TERM_MESSAGE, NULL, match_member, NULL, NULL, METADATA_KIND, common_kind},
    {"section", "=", TERM_ENTRY, NULL, match_section, NULL, .common = common_section},
    {"execution", "=", TERM_ENTRY, NULL, match_execution, knows_execution},
    {"session", "=", TERM_MESSAGE, NULL, match_member, NULL, NULL, METADATA_SESSION_ID},
    {"agent", "=", TERM_MESSAGE, NULL, match_member, NULL, NULL, METADATA_AGENT_ID},
    {"id", "=", TERM_MESSAGE, NULL, match_id, NULL},
    {"pinned", "", TERM_MESSAGE, NULL, match_flag, NULL, NULL, METADATA_PINNED},
    {"trace", "", TERM_ENTRY, NULL, match_trace, NULL},
    {"error", "", TERM_ENTRY, NULL, match_error, NULL},
    {"unresolved", "", TERM_ENTRY, NULL, match_unresolved, knows_unresolved},
    {"compacted", "", TERM_MESSAGE, NULL, match_flag, NULL, NULL, METADATA_COMPACTED},
    {"final", "", TERM_ENTRY, NULL, match_final, knows_final},
    {"tokens", "<=>", TERM_TOKENS, parse_count, match_tokens, NULL},
    {"bytes", "<=>", TERM_ENTRY, parse_count, match_bytes, NULL},
    {"turn", "<=>", TERM_ENTRY, parse_number, match_turn, knows_turn},
    {"meta.", "=", TERM_MESSAGE, NULL, match_meta, NULL},
    {"arg", "~", TERM_ENTRY, parse_pattern, match_arguments, NULL},
    {"text", "~", TERM_MESSAGE, parse_pattern, match_text, NULL},
    {NULL, NULL, TERM_MESSAGE, NULL, NULL, NULL},
};
