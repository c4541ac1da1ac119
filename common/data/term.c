#include "data/term.h"

#include <fnmatch.h>
#include <regex.h>
#include <stdlib.h>

#include "base/distance.h"
#include "base/mem.h"
#include "base/number.h"
#include "data/part.h"
#include "data/texts.h"
#include "json/text.h"

/* One kind of term: a row of the table. */
struct term_type {
	const char *name;
	const char *operators; /* the ones that the term may have; "": a flag, without a value */
	enum term_needs needs;
	/* Reads the value behind the operator. Returns false with message set when it is malformed.
	 * NULL: the value stays a string. */
	bool (*parse)(struct term *term, struct buf *message);
	bool (*match)(const struct term *term, const struct term_candidate *candidate);
};

static char *
copy(const char *text, size_t len)
{
	char *out = mem_alloc(len + 1, 1);

	memcpy(out, text, len);
	out[len] = '\0';
	return out;
}

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

/* A turn that is counted from the end is known when the turns behind it are. */
static bool
parse_turn(struct term *term, struct buf *message)
{
	if (!parse_number(term, message))
		return false;
	if (term->number < 0)
		term->needs = TERM_NEWEST;
	return true;
}

static bool
parse_execution(struct term *term, struct buf *message)
{
	(void)message;
	if (strcmp(term->value, "last") == 0)
		term->needs = TERM_NEWEST;
	return true;
}

static bool
parse_pattern(struct term *term, struct buf *message)
{
	regex_t pattern;
	int error = regcomp(&pattern, term->value, REG_EXTENDED | REG_NOSUB);
	char text[128];

	if (error == 0) {
		term->pattern = mem_alloc(1, sizeof pattern);
		*term->pattern = pattern;
		return true;
	}
	regerror(error, &pattern, text, sizeof text);
	buf_add_fmt(message, "'%s': %s", term->value, text);
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

/* Whether a member of metadata is the string that the term asks for. */
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

static bool
match_origin(const struct term *term, const struct term_candidate *candidate)
{
	return is_value(term, origin_name((enum origin)candidate->entry->origin));
}

/* Whether the pattern matches the whole name. A NUL in the name matches no byte of a pattern. */
static bool
matches_glob(const char *pattern, struct str name, struct buf *scratch)
{
	buf_reset(scratch);
	buf_add_str(scratch, name);
	for (size_t i = 0; i < scratch->len; i++)
		if (scratch->ptr[i] == '\0')
			scratch->ptr[i] = '\1';
	buf_add_char(scratch, '\0');
	return fnmatch(pattern, scratch->ptr, 0) == 0;
}

static bool
match_tool(const struct term *term, const struct term_candidate *candidate)
{
	struct session *t = candidate->session;
	const struct entry *entry = candidate->entry;
	const struct group *group;
	uint32_t first, count;

	if (entry->group == NONE)
		return false;
	group = &t->group[entry->group];
	first = entry->call != NONE ? entry->call : group->first_call;
	count = entry->call != NONE ? 1 : group->calls;
	for (uint32_t i = first; i < first + count; i++)
		if (matches_glob(term->value, t->call[i].name, &t->scratch))
			return true;
	return false;
}

static bool
match_kind(const struct term *term, const struct term_candidate *candidate)
{
	return member_is(term, candidate->message, METADATA_KIND);
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

	if (execution == NONE)
		return false;
	if (term->needs == TERM_NEWEST)
		return execution + 1 == t->execution_count;
	return is_value(term, t->execution[execution].id);
}

static bool
match_session(const struct term *term, const struct term_candidate *candidate)
{
	return member_is(term, candidate->message, METADATA_SESSION_ID);
}

static bool
match_agent(const struct term *term, const struct term_candidate *candidate)
{
	return member_is(term, candidate->message, METADATA_AGENT_ID);
}

static bool
match_id(const struct term *term, const struct term_candidate *candidate)
{
	return member_is(term, candidate->message, METADATA_ID) ||
	    json_is(candidate->message->tool_call_id, str_from(term->value));
}

static bool
match_pinned(const struct term *term, const struct term_candidate *candidate)
{
	(void)term;
	return message_is(candidate->message, METADATA_PINNED);
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
match_compacted(const struct term *term, const struct term_candidate *candidate)
{
	(void)term;
	return message_is(candidate->message, METADATA_COMPACTED);
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

/* A regular expression sees the text up to its first NUL, as regexec(3) does. */
static bool
text_matches(const struct term *term, struct json_value text)
{
	struct buf buf = BUF_INIT;
	bool found;

	if (text.type <= JSON_NULL)
		return false;
	if (text.type == JSON_STRING)
		json_decode(text, &buf);
	else
		buf_add_str(&buf, json_span(text));
	buf_add_char(&buf, '\0');
	found = regexec(term->pattern, buf.ptr, 0, NULL, 0) == 0;
	buf_free(&buf);
	return found;
}

static bool
match_text(const struct term *term, const struct term_candidate *candidate)
{
	struct json_value content = candidate->message->content;
	struct json_walk parts;

	if (text_matches(term, message_other_text(candidate->message)))
		return true;
	if (content.type != JSON_ARRAY)
		return text_matches(term, content);
	json_walk_open(&parts, content);
	while (json_walk_next(&parts)) {
		struct part part;
		struct part_text text;
		unsigned at = 0;

		part_read(parts.value, &part);
		while (part_next_text(&part, PART_MATCHED, &at, &text))
			if (text_matches(term, text.value))
				return true;
	}
	return false;
}

/* The table of terms. Behind a name that ends with a dot stands the name of a member. */
static const struct term_type types[] = {
    {"role", "=", TERM_MESSAGE, NULL, match_role},
    {"origin", "=", TERM_ENTRY, NULL, match_origin},
    {"tool", "=", TERM_ENTRY, NULL, match_tool},
    {"kind", "=", TERM_MESSAGE, NULL, match_kind},
    {"section", "=", TERM_ENTRY, NULL, match_section},
    {"execution", "=", TERM_ENTRY, parse_execution, match_execution},
    {"session", "=", TERM_MESSAGE, NULL, match_session},
    {"agent", "=", TERM_MESSAGE, NULL, match_agent},
    {"id", "=", TERM_MESSAGE, NULL, match_id},
    {"pinned", "", TERM_MESSAGE, NULL, match_pinned},
    {"trace", "", TERM_ENTRY, NULL, match_trace},
    {"error", "", TERM_ENTRY, NULL, match_error},
    {"unresolved", "", TERM_GROUP, NULL, match_unresolved},
    {"compacted", "", TERM_MESSAGE, NULL, match_compacted},
    {"final", "", TERM_EXECUTION, NULL, match_final},
    {"tokens", "<=>", TERM_TOKENS, parse_count, match_tokens},
    {"bytes", "<=>", TERM_ENTRY, parse_count, match_bytes},
    {"turn", "<=>", TERM_ENTRY, parse_turn, match_turn},
    {"meta.", "=", TERM_MESSAGE, NULL, match_meta},
    {"text", "~", TERM_MESSAGE, parse_pattern, match_text},
};

enum { TYPES = sizeof types / sizeof types[0] };

/* The row for a term whose name is the len bytes at name. */
static const struct term_type *
find_type(const char *name, size_t len)
{
	for (size_t i = 0; i < TYPES; i++) {
		size_t own = strlen(types[i].name);
		bool has_member = types[i].name[own - 1] == '.';

		if ((has_member ? len > own : len == own) && memcmp(types[i].name, name, own) == 0)
			return &types[i];
	}
	return NULL;
}

/* The name that was meant by one that is almost right, or NULL. */
static const char *
find_near(struct str name)
{
	for (size_t i = 0; i < TYPES; i++)
		if (!str_eq(name, str_from(types[i].name)) &&
		    distance_is_slip(name, str_from(types[i].name)))
			return types[i].name;
	return NULL;
}

static bool
takes_operator(const struct term_type *type, char operator)
{
	return operator== '\0' ? type->operators[0] == '\0' :
				 strchr(type->operators, operator) != NULL;
}

/* Says what stands behind the name of the term. */
static void
say_operators(struct buf *message, const struct term_type *type)
{
	const char *operators = type->operators;

	if (operators[0] == '\0') {
		buf_add_fmt(message, "'%s' takes no value", type->name);
		return;
	}
	buf_add_fmt(message, "expected '%c'", operators[0]);
	for (size_t i = 1; operators[i] != '\0'; i++)
		buf_add_fmt(
		    message, "%s '%c'", operators[i + 1] != '\0' ? "," : " or", operators[i]);
	buf_add_fmt(message, " and a value behind '%s'", type->name);
}

static void
say_unknown(struct buf *message, const char *text, size_t len, size_t name_len)
{
	const char *near = find_near(str_of(text, name_len));

	buf_add_fmt(message, "unknown term '%.*s'", (int)len, text);
	if (near != NULL)
		buf_add_fmt(message, ", did you mean '%s'?", near);
}

bool
term_parse(struct term *term, const char *text, size_t len, struct buf *message, size_t *at)
{
	size_t name_len, own;
	char operator;

	*term = (struct term){.type = NULL};
	term->negated = len > 0 && *text == '!';
	*at = term->negated;
	text += term->negated;
	len -= term->negated;
	name_len = strcspn(text, "=<>~,");
	if (name_len > len)
		name_len = len;
	operator= name_len<len ? text[name_len] : '\0';
	term->type = find_type(text, name_len);
	if (term->type == NULL) {
		say_unknown(message, text, len, name_len);
		return false;
	}
	if (!takes_operator(term->type, operator)) {
		*at += name_len;
		say_operators(message, term->type);
		return false;
	}
	term->needs = term->type->needs;
	own = strlen(term->type->name);
	if (own < name_len)
		term->name = copy(text + own, name_len - own);
	if (operator== '\0')
		return true;
	*at += name_len + 1;
	term->comparison = operator;
	term->value = copy(text + name_len + 1, len - name_len - 1);
	return term->type->parse == NULL || term->type->parse(term, message);
}

/* Whether nothing that may still come changes whether the message is its execution's final
 * response. */
static bool
is_candidate(const struct session *t, const struct entry *entry)
{
	uint32_t index = (uint32_t)(entry - t->entry);

	return index == t->answer || index == t->error;
}

/* Whether all is known that the term looks at. */
static bool
is_certain(const struct term *term, const struct term_candidate *candidate)
{
	struct session *t = candidate->session;
	const struct entry *entry = candidate->entry;

	if (term->needs <= TERM_TOKENS || t->has_ended)
		return true;
	if (term->needs == TERM_GROUP)
		return entry->group == NONE || session_is_judged(t, &t->group[entry->group]);
	if (term->needs == TERM_EXECUTION)
		return !is_candidate(t, entry);
	if (term->type->match == match_execution)
		return entry->execution == NONE || entry->execution + 1 < t->execution_count;
	/* The turn that is wanted only grows. */
	return entry->turn == NONE || (int64_t)entry->turn < wanted_turn(term, t) ||
	    (term->comparison == '>' && (int64_t)entry->turn == wanted_turn(term, t));
}

enum term_answer
term_ask(const struct term *term, const struct term_candidate *candidate)
{
	if (!is_certain(term, candidate))
		return TERM_UNKNOWN;
	return term->type->match(term, candidate) != term->negated ? TERM_YES : TERM_NO;
}

void
term_free(struct term *term)
{
	if (term->pattern != NULL)
		regfree(term->pattern);
	free(term->pattern);
	free(term->name);
	free(term->value);
}
