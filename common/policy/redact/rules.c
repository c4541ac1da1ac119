#include "policy/redact/rules.h"

#include "policy/secret/shapes.h"

static const struct str coded[] = {
#define RULE_TEXT(index, name) STR_INIT(name),
    RULE_TABLE(RULE_TEXT)};

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
