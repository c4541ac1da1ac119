#include "commands.h"

#include <string.h>

#define ADDRESS(name) &name,

const struct command *const commands[] = {COMMANDS(ADDRESS) NULL};

const struct command *
commands_find(const char *name)
{
	for (const struct command *const *command = commands; *command != NULL; command++)
		if (strcmp((*command)->name, name) == 0)
			return *command;
	return NULL;
}
