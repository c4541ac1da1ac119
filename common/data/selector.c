#include "data/selector.h"

#include <fnmatch.h>
#include <regex.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "json/text.h"

enum { TERMS_MAX = 32, NAME_MAX_LEN = 64 };

enum term_kind {
	TERM_ROLE, TERM_ORIGIN, TERM_TOOL, TERM_KIND, TERM_SECTION, TERM_EXECUTION, TERM_SESSION,
	TERM_AGENT, TERM_ID, TERM_PINNED, TERM_TRACE, TERM_ERROR, TERM_UNRESOLVED, TERM_COMPACTED,
	TERM_FINAL, TERM_TOKENS, TERM_BYTES, TERM_TURN, TERM_META, TERM_TEXT,
};

struct term {
	enum term_kind kind;
	bool negated;
	char comparison; /* '=', '<' or '>' */
	char *name;      /* of a metadata member */
	char *value;
	int64_t number;
	regex_t pattern;
};

struct selector {
	struct term term[TERMS_MAX];
	unsigned count;
};

/* The operators that a term may have; "" is a flag. */
static const struct {
	const char *name;
	enum term_kind kind;
	const char *operators;
} terms[] = {
    {"role", TERM_ROLE, "="}, {"origin", TERM_ORIGIN, "="}, {"tool", TERM_TOOL, "="},
    {"kind", TERM_KIND, "="}, {"section", TERM_SECTION, "="},
    {"execution", TERM_EXECUTION, "="}, {"session", TERM_SESSION, "="},
    {"agent", TERM_AGENT, "="}, {"id", TERM_ID, "="}, {"pinned", TERM_PINNED, ""},
    {"trace", TERM_TRACE, ""}, {"error", TERM_ERROR, ""}, {"unresolved", TERM_UNRESOLVED, ""},
    {"compacted", TERM_COMPACTED, ""}, {"final", TERM_FINAL, ""}, {"tokens", TERM_TOKENS, "<=>"},
    {"bytes", TERM_BYTES, "<=>"}, {"turn", TERM_TURN, "<=>"}, {"meta", TERM_META, "="},
    {"text", TERM_TEXT, "~"},
};

void
selector_free(struct selector *selector)
{
	if (selector == NULL)
		return;
	for (unsigned i = 0; i < selector->count; i++) {
		if (selector->term[i].kind == TERM_TEXT)
			regfree(&selector->term[i].pattern);
		free(selector->term[i].name);
		free(selector->term[i].value);
	}
	free(selector);
}

static char *
copy(const char *text, size_t len)
{
	char *out = mem_alloc(len + 1, 1);

	memcpy(out, text, len);
	out[len] = '\0';
	return out;
}

static bool
set_kind(struct term *term, const char *name, size_t len, char operator)
{
	for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) {
		if (strlen(terms[i].name) != len || memcmp(terms[i].name, name, len) != 0)
			continue;
		term->kind = terms[i].kind;
		if (operator == '\0')
			return terms[i].operators[0] == '\0';
		return strchr(terms[i].operators, operator) != NULL;
	}
	return false;
}

static bool
set_number(struct term *term)
{
	bool negative = term->value[0] == '-';
	uint64_t number;

	if (!number_parse(term->value + negative, &number))
		return false;
	term->number = negative ? -(int64_t)number : (int64_t)number;
	return !negative || term->kind == TERM_TURN;
}

static bool
set_pattern(struct term *term, struct buf *message)
{
	int error = regcomp(&term->pattern, term->value, REG_EXTENDED | REG_NOSUB);
	char text[128];

	if (error == 0)
		return true;
	regerror(error, &term->pattern, text, sizeof text);
	buf_add_fmt(message, "'%s': %s", term->value, text);
	return false;
}

/* One term between commas: [!]NAME[OPERATOR VALUE]. */
static bool
parse_term(struct term *term, const char *text, size_t len, struct buf *message)
{
	size_t name_len;
	char operator;

	term->negated = len > 0 && *text == '!';
	text += term->negated;
	len -= term->negated;
	name_len = strcspn(text, "=<>~,");
	if (name_len > len)
		name_len = len;
	operator = name_len < len ? text[name_len] : '\0';
	if (name_len > 5 && memcmp(text, "meta.", 5) == 0 && operator == '=') {
		term->kind = TERM_META;
		term->name = copy(text + 5, name_len - 5);
	} else if (!set_kind(term, text, name_len, operator) || term->kind == TERM_META) {
		buf_add_fmt(message, "unknown term '%.*s'", (int)len, text);
		return false;
	}
	if (operator == '\0')
		return true;
	term->comparison = operator;
	term->value = copy(text + name_len + 1, len - name_len - 1);
	if (term->kind == TERM_TEXT)
		return set_pattern(term, message);
	if (term->kind != TERM_TOKENS && term->kind != TERM_BYTES && term->kind != TERM_TURN)
		return true;
	if (!set_number(term))
		buf_add_fmt(message, "expected a number in '%.*s'", (int)len, text);
	return message->len == 0;
}

struct selector *
selector_parse(const char *text, struct buf *message)
{
	struct selector *selector = mem_alloc(1, sizeof *selector);
	bool good = true;

	*selector = (struct selector){.count = 0};
	while (good) {
		/* A pattern is the last term: it may hold commas itself. */
		bool is_pattern = text[strcspn(text, "=<>~,")] == '~';
		size_t len = is_pattern ? strlen(text) : strcspn(text, ",");
		struct term *term = &selector->term[selector->count];

		if (selector->count == TERMS_MAX) {
			buf_add_fmt(message, "more than %d terms", TERMS_MAX);
			good = false;
			break;
		}
		good = parse_term(term, text, len, message);
		if (!good) {
			term->kind = TERM_ROLE; /* nothing compiled to free */
			selector->count++;
			break;
		}
		selector->count++;
		if (text[len] == '\0')
			return selector;
		text += len + 1;
	}
	selector_free(selector);
	return NULL;
}

static bool
compare(int64_t actual, char comparison, int64_t wanted)
{
	if (comparison == '>')
		return actual > wanted;
	return comparison == '<' ? actual < wanted : actual == wanted;
}

static bool
matches_tool(const struct term *term, const struct session *t, const struct entry *entry)
{
	const struct group *group;
	uint32_t first, count;

	if (entry->group == NONE)
		return false;
	group = &t->group[entry->group];
	first = entry->call != NONE ? entry->call : group->first_call;
	count = entry->call != NONE ? 1 : group->calls;
	for (uint32_t i = first; i < first + count; i++) {
		char name[NAME_MAX_LEN + 1];
		struct str full = t->call[i].name;
		size_t len = full.len < NAME_MAX_LEN ? full.len : NAME_MAX_LEN;

		memcpy(name, full.ptr, len);
		name[len] = '\0';
		if (fnmatch(term->value, name, 0) == 0)
			return true;
	}
	return false;
}

static bool
matches_execution(const struct term *term, const struct session *t, const struct entry *entry)
{
	if (entry->execution == NONE)
		return false;
	if (strcmp(term->value, "last") == 0)
		return entry->execution + 1 == t->execution_count;
	return str_eq(t->execution[entry->execution].id, str_from(term->value));
}

static bool
matches_turn(const struct term *term, const struct session *t, const struct entry *entry)
{
	int64_t wanted = term->number;

	if (entry->turn == NONE)
		return false;
	if (wanted < 0)
		wanted += (int64_t)t->turn_count + 1;
	return compare((int64_t)entry->turn, term->comparison, wanted);
}

static bool
matches_meta(const struct term *term, const struct message *message)
{
	struct json_value value;

	if (message->metadata.type != JSON_OBJECT)
		return false;
	value = json_find(message->metadata, str_from(term->name));
	if (value.type == JSON_STRING)
		return json_is(value, str_from(term->value));
	return value.type != JSON_ABSENT && str_eq(json_span(value), str_from(term->value));
}

static bool
member_is(const struct message *message, enum metadata_name name, const char *value)
{
	return message->metadata.type == JSON_OBJECT &&
	    json_is(message->meta[name], str_from(value));
}

/* A pattern sees text up to its first NUL, as POSIX has it. */
static bool
text_matches(const struct term *term, struct json_value text)
{
	struct buf buf = BUF_INIT;
	bool found;

	if (text.type != JSON_STRING)
		return false;
	json_decode(text, &buf);
	buf_add_char(&buf, '\0');
	found = regexec(&term->pattern, buf.ptr, 0, NULL, 0) == 0;
	buf_free(&buf);
	return found;
}

static bool
matches_text(const struct term *term, const struct message *message)
{
	struct json_walk parts;

	if (message->content.type != JSON_ARRAY)
		return text_matches(term, message->content);
	json_walk_open(&parts, message->content);
	while (json_walk_next(&parts))
		if (text_matches(term, json_find(parts.value, STR("text"))))
			return true;
	return false;
}

static bool
matches_section(const struct term *term, struct session *t, const struct entry *entry)
{
	return str_eq(session_section(t, entry), str_from(term->value));
}

/* Terms that the entry answers. */
static bool
entry_matches(const struct term *term, struct session *t, const struct entry *entry)
{
	switch (term->kind) {
	case TERM_ORIGIN:
		return str_eq(origin_name((enum origin)entry->origin), str_from(term->value));
	case TERM_TOOL:
		return matches_tool(term, t, entry);
	case TERM_SECTION:
		return matches_section(term, t, entry);
	case TERM_EXECUTION:
		return matches_execution(term, t, entry);
	case TERM_PINNED:
		return entry->is_pinned;
	case TERM_TRACE:
		return entry->is_trace;
	case TERM_ERROR:
		return entry->is_error;
	case TERM_UNRESOLVED:
		return entry->group != NONE && t->group[entry->group].unresolved > 0;
	case TERM_COMPACTED:
		return entry->is_compacted;
	case TERM_FINAL:
		return entry->is_final;
	case TERM_TOKENS:
		return compare(entry->tokens, term->comparison, term->number);
	case TERM_BYTES:
		return compare((int64_t)entry_text(entry).len, term->comparison, term->number);
	default:
		return matches_turn(term, t, entry);
	}
}

static bool
message_matches(const struct term *term, const struct message *message)
{
	switch (term->kind) {
	case TERM_ROLE:
		return json_is(message->role_value, str_from(term->value));
	case TERM_KIND:
		return member_is(message, METADATA_KIND, term->value);
	case TERM_SESSION:
		return member_is(message, METADATA_SESSION_ID, term->value);
	case TERM_AGENT:
		return member_is(message, METADATA_AGENT_ID, term->value);
	case TERM_ID:
		return member_is(message, METADATA_ID, term->value) ||
		    json_is(message->tool_call_id, str_from(term->value));
	case TERM_META:
		return matches_meta(term, message);
	default:
		return matches_text(term, message);
	}
}

static bool
needs_message(enum term_kind kind)
{
	return kind == TERM_ROLE || kind == TERM_KIND || kind == TERM_SESSION || kind == TERM_AGENT ||
	    kind == TERM_ID || kind == TERM_META || kind == TERM_TEXT;
}

bool
selector_matches(const struct selector *selector, struct session *t,
    const struct entry *entry)
{
	struct message message;
	bool parsed = false;

	if (entry->kind != RECORD_MESSAGE)
		return false;
	for (unsigned i = 0; i < selector->count; i++) {
		const struct term *term = &selector->term[i];
		bool matches;

		if (needs_message(term->kind) && !parsed) {
			entry_parse(entry, &message);
			parsed = true;
		}
		matches = needs_message(term->kind) ? message_matches(term, &message) :
		    entry_matches(term, t, entry);
		if (matches == term->negated)
			return false;
	}
	return true;
}
