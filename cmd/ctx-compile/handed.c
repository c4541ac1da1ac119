#include "handed.h"

#include <string.h>

#include "../commands.h"
#include "base/file.h"
#include "face/options/words.h"

/* The filter of ctx that the command is, or NULL. */
static const struct command *
find_filter(const char *command)
{
	const struct command *found = commands_find(file_name(command));

	return found != NULL && found->kind == COMMAND_FILTER ? found : NULL;
}

bool
handed_is_filter(const char *command)
{
	return find_filter(command) != NULL;
}

bool
handed_is_of(const char *name, const char *command)
{
	const struct command *filter = find_filter(command);

	return filter != NULL && words_find(filter->options, name, strlen(name)) != NULL;
}

static bool
is_of(const struct profile_option *option, const char *command)
{
	return handed_is_of(option->name, command);
}

void
handed_init(struct handed *handed)
{
	unsigned count = 0;

	*handed = (struct handed){.options = {handed->list, is_of}};
	for (const struct option *o = compile_command.options; o->name != NULL; o++)
		if ((o->flags & OPTION_IS_HANDED) != 0)
			handed->list[count++] =
			    (struct profile_option){o->name, o->argument == NULL};
}
