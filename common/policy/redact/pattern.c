#include "policy/redact/pattern.h"

#include "base/text/utf8.h"

enum { PATTERN_MAX = 1000 };

static bool
is_rule_name(struct str name)
{
	if (name.len == 0 || name.len > RULE_NAME_MAX || !alphabet_has(ALPHABET_ALNUM, name.ptr[0]))
		return false;
	for (size_t i = 0; i < name.len; i++)
		if (!alphabet_has(ALPHABET_DOTTED, name.ptr[i]))
			return false;
	for (unsigned rule = 0; rule < rules_built_in(); rule++)
		if (str_eq(name, rule_name(rule)))
			return false;
	return true;
}

bool
pattern_parse(struct pattern *pattern, const char *text, struct buf *message)
{
	const char *equals = strchr(text, '='), *ere, *start, *end;

	if (equals == NULL) {
		buf_add_str(message, STR("expected NAME=ERE"));
		return false;
	}
	ere = equals + 1;
	pattern->name = str_of(text, (size_t)(equals - text));
	if (!is_rule_name(pattern->name))
		buf_add_fmt(message,
		    "expected a new name of at most %d letters, digits, '_', '.' "
		    "and '-'",
		    RULE_NAME_MAX);
	else if (strlen(ere) > PATTERN_MAX)
		buf_add_str(message, STR("the expression is too large"));
	if (message->len > 0 || !expression_init(&pattern->expression, ere, message))
		return false;
	if (!expression_find(&pattern->expression, STR(""), 0, &start, &end))
		return true;
	buf_add_str(message, STR("the expression matches the empty text"));
	pattern_free(pattern);
	return false;
}

/* Makes the find one of whole code points: an expression is one of bytes. */
static void
widen(struct search_found *found, const char *start, const char *end)
{
	struct str all = str_of(start, (size_t)(end - start));
	size_t from = (size_t)(found->start - start), to = (size_t)(found->end - start);

	found->start = start + utf8_floor(all, from);
	found->end = start + utf8_ceil(all, to);
}

static const char *
line_end(const char *p, const char *end)
{
	const char *lf = memchr(p, '\n', (size_t)(end - p)), *stop = lf != NULL ? lf : end;
	const char *nul = memchr(p, '\0', (size_t)(stop - p));

	return nul != NULL ? nul : stop;
}

bool
pattern_next(struct pattern *pattern, struct search_found *found, const char *start,
    const char *end, bool before, bool behind)
{
	bool begins = before;

	/* No further than the window, since there may be very many matches in a line. */
	for (const char *at = start; at < end;) {
		const char *most = end - at > PATTERN_WINDOW ? at + PATTERN_WINDOW : end;
		const char *stop = line_end(at, most);
		bool is_end = stop == end || *stop == '\n' || *stop == '\0';
		bool is_last = is_end && (stop < end || behind);

		if (expression_find(&pattern->expression, str_of(at, (size_t)(stop - at)),
			(begins ? 0 : EXPRESSION_NOT_BEGIN) | (is_last ? 0 : EXPRESSION_NOT_END),
			&found->start, &found->end) &&
		    found->end > found->start) {
			if (is_last || found->start - at <= PATTERN_WINDOW - PATTERN_MATCH) {
				widen(found, start, end);
				return true;
			}
			at = found->start; /* may go on after the window */
			begins = false;
			continue;
		}
		at = is_end ? stop + 1 : at + PATTERN_WINDOW - PATTERN_MATCH;
		begins = is_end;
	}
	return false;
}

void
pattern_free(struct pattern *pattern)
{
	expression_free(&pattern->expression);
}
