#include "policy/build_check.h"

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == ';' || c == '&' || c == '|' || c == ':';
}

bool
build_check_is(struct str command)
{
	static const struct str words[] = {STR_INIT("test"), STR_INIT("tests"), STR_INIT("check"),
	    STR_INIT("lint"), STR_INIT("build"), STR_INIT("make"), STR_INIT("pytest"),
	    STR_INIT("jest"), STR_INIT("vitest"), STR_INIT("cargo"), STR_INIT("tsc"),
	    STR_INIT("mypy"), STR_INIT("ruff"), STR_INIT("eslint"), STR_INIT("typecheck"),
	    STR_INIT("compile"), STR_INIT("bats"), STR_INIT("mvn"), STR_INIT("gradle"),
	    STR_INIT("rspec"), STR_INIT("phpunit"), STR_INIT("tox")};
	size_t start = 0;

	for (size_t i = 0; i <= command.len; i++) {
		if (i < command.len && !is_blank(command.ptr[i]))
			continue;
		for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
			if (str_eq(str_of(command.ptr + start, i - start), words[k]))
				return true;
		start = i + 1;
	}
	return false;
}
