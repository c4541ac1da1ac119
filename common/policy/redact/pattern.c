#include "policy/redact/pattern.h"

#include "base/utf8.h"

enum { PATTERN_MAX = 1000, REPEATS_MAX = 100000 };

/* Whether the expression has a back-reference: what that costs has no bound. */
static bool
has_reference(const char *ere)
{
	for (const char *p = ere; *p != '\0'; p++)
		if (*p == '\\' && *++p >= '1' && *p <= '9')
			return true;
		else if (*p == '\0')
			return false;
	return false;
}

/* The product of all numbers in braces: how large the expression may become when it is compiled. */
static uint64_t
count_repeats(const char *ere)
{
	uint64_t product = 1;

	for (const char *p = strchr(ere, '{'); p != NULL; p = strchr(p, '{')) {
		uint64_t number = 0, most = 1;

		for (p++; *p == ',' || alphabet_has(ALPHABET_DIGIT, *p); p++) {
			number = *p == ',' ? 0 : 10 * number + (uint64_t)(*p - '0');
			if (number > REPEATS_MAX)
				return number;
			most = number > most ? number : most;
		}
		product *= most;
		if (product > REPEATS_MAX)
			return product;
	}
	return product;
}

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
	const char *equals = strchr(text, '='), *ere;

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
	else if (strlen(ere) > PATTERN_MAX || count_repeats(ere) > REPEATS_MAX)
		buf_add_str(message, STR("the expression is too large"));
	else if (has_reference(ere))
		buf_add_str(message, STR("back-references are not taken"));
	if (message->len > 0)
		return false;
	return expression_init(&pattern->expression, ere, message);
}

/* Sets found to the first match in the window, which has at most PATTERN_WINDOW bytes. */
static bool
match_window(struct pattern *pattern, struct search_found *found, struct str window, int flags)
{
	return expression_find(&pattern->expression, window, flags, &found->start, &found->end) &&
	    found->end > found->start;
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
	while (p < end && *p != '\n' && *p != '\0')
		p++;
	return p;
}

bool
pattern_next(struct pattern *pattern, struct search_found *found, const char *start,
    const char *end, bool before, bool behind)
{
	for (const char *line = start; line < end; line = line_end(line, end) + 1) {
		const char *stop = line_end(line, end);

		for (const char *at = line; at < stop;) {
			size_t len = (size_t)(stop - at) > PATTERN_WINDOW ? PATTERN_WINDOW :
									    (size_t)(stop - at);
			bool is_first = at == line && (line > start || before);
			bool is_last = at + len == stop && (stop < end || behind);

			if (match_window(pattern, found, str_of(at, len),
				(is_first ? 0 : REG_NOTBOL) | (is_last ? 0 : REG_NOTEOL))) {
				if (!is_last &&
				    found->start - at > PATTERN_WINDOW - PATTERN_MATCH) {
					at = found->start; /* it may go on behind the window */
					continue;
				}
				widen(found, start, end);
				return true;
			}
			at += at + len == stop ? len : PATTERN_WINDOW - PATTERN_MATCH;
		}
	}
	return false;
}

void
pattern_free(struct pattern *pattern)
{
	expression_free(&pattern->expression);
}
