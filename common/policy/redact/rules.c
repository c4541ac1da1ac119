#include "policy/redact/rules.h"

#include "policy/secret/shapes.h"

static const struct str coded[] = {
    [RULE_PRIVATE_KEY] = STR_INIT("private-key"),
    [RULE_JWT] = STR_INIT("jwt"),
    [RULE_BEARER] = STR_INIT("bearer"),
    [RULE_BASIC_AUTH] = STR_INIT("basic-auth"),
    [RULE_URL_PASSWORD] = STR_INIT("url-password"),
    [RULE_TOKEN_VALUE] = STR_INIT("token-value"),
    [RULE_SECRET_VALUE] = STR_INIT("secret-value"),
    [RULE_KEY_VALUE] = STR_INIT("key-value"),
    [RULE_PASSWORD] = STR_INIT("password"),
    [RULE_COOKIE] = STR_INIT("cookie"),
    [RULE_EMAIL] = STR_INIT("email"),
    [RULE_PHONE] = STR_INIT("phone"),
    [RULE_CARD] = STR_INIT("card"),
    [RULE_IBAN] = STR_INIT("iban"),
};

unsigned
rule_coded(enum rule rule)
{
	return shape_count + rule;
}

unsigned
rules_built_in(void)
{
	return shape_count + RULE_CODED;
}

struct str
rule_name(unsigned rule)
{
	return rule < shape_count ? shapes[rule].name : coded[rule - shape_count];
}
