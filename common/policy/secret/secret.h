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
	SECRET_SHELL, /* NAME=value, or another place where nothing but a value stands */
	SECRET_PROSE, /* where words may stand as well */
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

/* Behind the blanks at p, at most SECRET_BLANKS_MAX. */
const char *secret_pass_blanks(const struct search *text, const char *p);

/* Behind a quote with the backslashes before it, when there is one at p. Sets *quote to the
 * quote, or to 0. */
const char *secret_pass_quote(const struct search *text, const char *p, char *quote);

/* The end of the value at p that stands without quotes, after that sign: '=', ':', or '>' for one
 * that a tag may follow. A long one is walked
 * once. */
const char *secret_plain_end(struct search *text, const char *p, char sign);

/* Sets *value to the value at p, which may stand in quotes: *style is then SECRET_QUOTED, else it
 * stays. Returns false where an expression stands, or no end of a quoted value. */
bool secret_take(
    struct search *text, const char *p, char sign, enum secret_style *style, struct str *value);

/* Whether the value looks like what the rule finds: RULE_PASSWORD, or another one of a value. */
bool secret_is(struct str value, enum rule rule, enum secret_style style);

/* Whether a value with spaces is a password: prose about one seldom has a digit. */
bool secret_is_passphrase(struct str value);

#endif
