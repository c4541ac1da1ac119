#include "stream/process/environment.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

/* Whether both have the same name before their '='. */
static bool
is_same_name(const char *a, const char *b)
{
	size_t len = strcspn(a, "=");

	return strncmp(a, b, len) == 0 && b[len] == '=';
}

const char **
environment_with(const char *const *variables)
{
	size_t ours = 0, theirs = 0, count = 0;
	const char **list;

	while (environ[ours] != NULL)
		ours++;
	while (variables != NULL && variables[theirs] != NULL)
		theirs++;
	list = mem_alloc(ours + theirs + 1, sizeof *list);
	for (size_t i = 0; i < ours; i++) {
		size_t k = 0;

		while (k < theirs && !is_same_name(variables[k], environ[i]))
			k++;
		if (k == theirs)
			list[count++] = environ[i];
	}
	for (size_t k = 0; k < theirs; k++)
		list[count++] = variables[k];
	list[count] = NULL;
	return list;
}
