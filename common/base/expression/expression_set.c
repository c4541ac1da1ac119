#include "base/expression/expression_set.h"

#include <ctype.h>

#include "base/str.h"

struct set_reader {
	const char *at;
	const char **phrase;
};

static bool
fail(struct set_reader *reader, const char *phrase)
{
	*reader->phrase = phrase;
	return false;
}

static bool
add_class(struct set_reader *reader, struct expression_set *set, struct str name)
{
	static const struct {
		struct str name;
		int (*has)(int);
	} classes[] = {{STR_INIT("alpha"), isalpha}, {STR_INIT("digit"), isdigit},
	    {STR_INIT("alnum"), isalnum}, {STR_INIT("upper"), isupper},
	    {STR_INIT("lower"), islower}, {STR_INIT("space"), isspace},
	    {STR_INIT("blank"), isblank}, {STR_INIT("punct"), ispunct},
	    {STR_INIT("print"), isprint}, {STR_INIT("graph"), isgraph},
	    {STR_INIT("cntrl"), iscntrl}, {STR_INIT("xdigit"), isxdigit}};

	for (unsigned i = 0; i < ARRAY_COUNT(classes); i++) {
		if (!str_eq(classes[i].name, name))
			continue;
		for (unsigned byte = 0; byte < 0x80; byte++)
			if (classes[i].has((int)byte))
				expression_set_add(set, (unsigned char)byte);
		return true;
	}
	return fail(reader, "an unknown class of characters");
}

/* Passes the name between "[:" and ":]", and the same for "." and "=". */
static bool
pass_name(struct set_reader *reader, struct str *name)
{
	const char close[] = {reader->at[1], ']', '\0'};
	const char *start = reader->at + 2, *end = strstr(start, close);

	if (end == NULL)
		return fail(reader, "unmatched [");
	*name = str_of(start, (size_t)(end - start));
	reader->at = end + 2;
	return true;
}

/* The byte at hand in a set, also as [.x.]. */
static bool
pass_byte(struct set_reader *reader, unsigned char *byte)
{
	struct str name;

	if (reader->at[0] != '[' || (reader->at[1] != '.' && reader->at[1] != '=')) {
		*byte = (unsigned char)*reader->at++;
		return true;
	}
	if (!pass_name(reader, &name))
		return false;
	*byte = name.len == 1 ? (unsigned char)*name.ptr : 0;
	return name.len == 1 || fail(reader, "a character that is none");
}

/* A byte, a range or a class of a set. */
static bool
add_item(struct set_reader *reader, struct expression_set *set)
{
	unsigned char from, to;
	struct str name;

	if (reader->at[0] == '[' && reader->at[1] == ':')
		return pass_name(reader, &name) && add_class(reader, set, name);
	if (!pass_byte(reader, &from))
		return false;
	to = from;
	if (reader->at[0] == '-' && reader->at[1] != ']' && reader->at[1] != '\0') {
		reader->at++;
		if (!pass_byte(reader, &to))
			return false;
	}
	if (to < from)
		return fail(reader, "a range that ends before it begins");
	for (unsigned byte = from; byte <= to; byte++)
		expression_set_add(set, (unsigned char)byte);
	return true;
}

bool
expression_set_parse(struct expression_set *set, const char **at, const char **phrase)
{
	struct set_reader reader = {*at, phrase};
	bool is_negated = *reader.at == '^', is_first = true;

	*set = (struct expression_set){{0}};
	reader.at += is_negated;
	for (; is_first || *reader.at != ']'; is_first = false) {
		if (*reader.at == '\0')
			return fail(&reader, "unmatched [");
		if (!add_item(&reader, set))
			return false;
	}
	*at = reader.at + 1;
	if (is_negated)
		expression_set_negate(set);
	return true;
}
