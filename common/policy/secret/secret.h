#ifndef SECRET_SECRET_H
#define SECRET_SECRET_H

/*
 * How a value is written that a name or a place asks for, and whether it looks like a secret:
 * placeholders, paths, and the names and expressions of programs do not.
 */

#include "policy/redact/search.h"

enum secret_style {
	SECRET_PLAIN,
	SECRET_CODE,     /* NAME = value, as an assignment in code is written */
	SECRET_ARGUMENT, /* of an option; as the two above it has no quotes */
	SECRET_QUOTED,
	SECRET_SHELL, /* NAME=value, or another place where only a value can be */
	SECRET_PROSE, /* where words may be as well */
};

enum { SECRET_BLANKS_MAX = 8 };

static inline bool
secret_is_quote(char c)
{
	return c == '"' || c == '\'' || c == '`';
}

static inline bool
secret_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The byte after the blanks at p, at most SECRET_BLANKS_MAX. */
const char *secret_pass_blanks(const struct search *text, const char *p);

/* The byte after a quote at p, with the backslashes before it; p without one. Sets *quote to the
 * quote, or to 0. */
const char *secret_pass_quote(const struct search *text, const char *p, char *quote);

/* The end of the unquoted value at p, after that sign: '=', ':', or '>' for a value that a tag may
 * follow. A long value is walked once. */
const char *secret_plain_end(struct search *text, const char *p, char sign);

/* Sets *value to the value at p. If the value is in quotes, sets *style to SECRET_QUOTED. Returns
 * false for an expression, or a quoted value without an end. */
bool secret_take(
    struct search *text, const char *p, char sign, enum secret_style *style, struct str *value);

/* Whether the value looks like what the rule finds: RULE_PASSWORD, or another one of a value. */
bool secret_is(struct str value, enum rule rule, enum secret_style style);

/* Whether a value with spaces is a password: prose about one seldom has a digit. */
bool secret_is_passphrase(struct str value);

#endif
