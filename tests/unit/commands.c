/*
 * The tables of all commands: what a row says of other rows must be there. "commands relations" prints
 * the relations, a line each, for the test that holds the pages against them.
 */

#include "../../cmd/commands.h"

#include "base/str.h"
#include "face/options/words.h"
#include "unit.h"

static bool
is_choice(const struct option *option, struct str value)
{
	for (const char *const *choice = option->choices; choice != NULL && *choice != NULL;
	     choice++)
		if (str_eq(str_from(*choice), value))
			return true;
	return false;
}

/* Whether the command has the option NAME, or the option NAME with the choice VALUE. */
static bool
is_there(const struct command *command, struct str term)
{
	const char *mark = memchr(term.ptr, '=', term.len);
	size_t len = mark != NULL ? (size_t)(mark - term.ptr) : term.len;
	const struct option *option = words_find(command->options, term.ptr, len);

	if (option == NULL || option->type == OPTION_HEADING)
		return false;
	return mark == NULL || is_choice(option, str_of(mark + 1, term.len - len - 1));
}

static void
check_name(const struct command *command, const char *owner, struct str term)
{
	if (!is_there(command, term))
		fprintf(
		    stderr, "%s: %s: there is no '%.*s'\n", command->name, owner, STR_ARG(term));
	CHECK(is_there(command, term));
}

/* Checks each name of a relation, which no row has that relates to nothing, or to itself. */
static void
check_list(const struct command *command, const struct option *option, const char *list)
{
	struct str term;

	while (list != NULL && str_take_word(&list, ' ', &term)) {
		if (term.len == 0)
			continue;
		check_name(command, option->name, term);
		CHECK(!str_eq(term, str_from(option->name)));
	}
}

static void
check_command(const struct command *command)
{
	for (const struct option *o = command->options; o->name != NULL; o++) {
		check_list(command, o, o->requires);
		check_list(command, o, o->not_with);
		check_list(command, o, o->only_with);
	}
	for (const char *const *name = command->essential; name != NULL && *name != NULL; name++)
		check_name(command, "the short help", str_from(*name));
}

static void
print_relation(const struct command *command, const struct option *option, const char *relation,
    const char *list)
{
	if (list != NULL)
		printf("%s\t%s\t%s\t%s\n", command->name, option->name, relation, list);
}

int
main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "relations") == 0) {
		for (const struct command *const *c = commands; *c != NULL; c++)
			for (const struct option *o = (*c)->options; o->name != NULL; o++) {
				print_relation(*c, o, "requires", o->requires);
				print_relation(*c, o, "not_with", o->not_with);
				print_relation(*c, o, "only_with", o->only_with);
			}
		return 0;
	}
	for (const struct command *const *command = commands; *command != NULL; command++)
		check_command(*command);
	return unit_end();
}
