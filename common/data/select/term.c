#include "data/select/term.h"

#include <stdlib.h>

#include "base/text/distance.h"
#include "base/mem.h"

static char *
copy(const char *text, size_t len)
{
	char *out = mem_alloc(len + 1, 1);

	memcpy(out, text, len);
	out[len] = '\0';
	return out;
}

static const struct term_type *
find_type(const char *name, size_t len)
{
	for (const struct term_type *type = term_types; type->name != NULL; type++) {
		size_t own = strlen(type->name);
		bool has_member = type->name[own - 1] == '.';

		if ((has_member ? len > own : len == own) && memcmp(type->name, name, own) == 0)
			return type;
	}
	return NULL;
}

/* The name that was meant by one that is almost right, or NULL. */
static const char *
find_near(struct str name)
{
	for (const struct term_type *type = term_types; type->name != NULL; type++)
		if (!str_eq(name, str_from(type->name)) &&
		    distance_is_slip(name, str_from(type->name)))
			return type->name;
	return NULL;
}

static bool
takes_operator(const struct term_type *type, char operator)
{
	return operator== '\0' ? type->operators[0] == '\0' :
				 strchr(type->operators, operator) != NULL;
}

/* Appends the operators that may follow the name of the term. */
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
	buf_add_fmt(message, " and a value after '%s'", type->name);
}

static void
say_unknown(struct buf *message, const char *text, size_t len, size_t name_len)
{
	const char *near = find_near(str_of(text, name_len));

	buf_add_fmt(message, "unknown term '%.*s'", (int)len, text);
	if (near != NULL)
		buf_add_fmt(message, ", did you mean '%s'?", near);
	else
		buf_add_str(message, STR(", expected one such as role=user, error or turn=-1"));
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

enum term_needs
term_needs(const struct term *term)
{
	return term->type->needs;
}

enum term_answer
term_glance(const struct term *term, const struct entry *entry)
{
	enum term_answer answer =
	    term->type->glance != NULL ? term->type->glance(term, entry) : TERM_UNKNOWN;

	if (answer == TERM_UNKNOWN || !term->negated)
		return answer;
	return answer == TERM_YES ? TERM_NO : TERM_YES;
}

enum term_answer
term_ask(const struct term *term, const struct term_candidate *candidate)
{
	const struct term_type *type = term->type;

	if (type->knows != NULL && !candidate->session->has_ended && !type->knows(term, candidate))
		return TERM_UNKNOWN;
	return type->match(term, candidate) != term->negated ? TERM_YES : TERM_NO;
}

void
term_free(struct term *term)
{
	if (term->pattern != NULL)
		expression_free(term->pattern);
	free(term->pattern);
	free(term->name);
	free(term->value);
}
