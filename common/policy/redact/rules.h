#ifndef REDACT_RULES_H
#define REDACT_RULES_H

/*
 * The rules: those of the table of token shapes first, then the ones that are code, then the user's
 * patterns. A mark names its rule: [REDACTED:github-pat].
 */

#include "base/str.h"

/* The rules that are code; their indexes follow those of the shapes. */
/* clang-format off */
#define RULE_TABLE(row) \
	row(PRIVATE_KEY, "private-key") row(JWT, "jwt") row(BEARER, "bearer") \
	row(BASIC_AUTH, "basic-auth") row(URL_PASSWORD, "url-password") \
	row(TOKEN_VALUE, "token-value") row(SECRET_VALUE, "secret-value") \
	row(KEY_VALUE, "key-value") row(PASSWORD, "password") row(COOKIE, "cookie") \
	row(EMAIL, "email") row(PHONE, "phone") row(CARD, "card") row(IBAN, "iban")
/* clang-format on */

enum rule {
#define RULE_INDEX(index, name) RULE_##index,
	RULE_TABLE(RULE_INDEX) RULE_CODED,
#undef RULE_INDEX
};

enum {
	RULE_PATTERNS_MAX = 64,
	RULE_NAME_MAX = 32, /* bytes of the name of a rule */
};

/* What is looked for; as bits. */
enum rule_kind { RULE_SECRETS = 1, RULE_PII = 2 };

/* The number of a rule that is code. That of a row of the table of shapes is the row. */
unsigned rule_coded(enum rule rule);
/* The number of rules without the user's patterns, which come after them. */
unsigned rules_built_in(void);

/* The name of a rule that is no pattern. */
struct str rule_name(unsigned rule);

#endif
