#ifndef REDACT_RULES_H
#define REDACT_RULES_H

/*
 * The rules: those of the table of token shapes first, then the ones that are code, then the user's
 * patterns. A mark says which rule it stands for: [REDACTED:github-pat].
 */

#include "base/str.h"

/* The rules that are code; each is an index behind the shapes. */
enum rule {
	RULE_PRIVATE_KEY,
	RULE_JWT,
	RULE_BEARER,
	RULE_BASIC_AUTH,
	RULE_URL_PASSWORD,
	RULE_TOKEN_VALUE,
	RULE_SECRET_VALUE,
	RULE_KEY_VALUE,
	RULE_PASSWORD,
	RULE_COOKIE,
	RULE_EMAIL,
	RULE_PHONE,
	RULE_CARD,
	RULE_IBAN,
	RULE_CODED,
};

enum {
	RULE_PATTERNS_MAX = 64,
	RULE_NAME_MAX = 32, /* bytes of the name of a rule */
};

/* What is looked for; as bits. */
enum rule_kind { RULE_SECRETS = 1, RULE_PII = 2 };

/* The number of a rule that is code. That of a row of the table of shapes is the row. */
unsigned rule_coded(enum rule rule);
/* How many rules there are without the user's patterns, which come behind. */
unsigned rules_built_in(void);

/* The name of a rule that is no pattern. */
struct str rule_name(unsigned rule);

#endif
