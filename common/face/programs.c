#include "face/programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stream/process/program.h"

static bool
is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* Sets path to the file of that name in the directory. Returns whether it can be run. */
static bool
is_in(struct str directory, const char *name, char path[PATH_MAX])
{
	struct str dot = STR(".");

	directory = directory.len > 0 ? directory : dot;
	return snprintf(path, PATH_MAX, "%.*s/%s", STR_ARG(directory), name) < PATH_MAX &&
	    is_program(path);
}

static bool
lies_beside(const char *name, char path[PATH_MAX])
{
	char program[PATH_MAX];
	struct str directory = program_directory(program);

	return directory.len > 0 && is_in(str_of(directory.ptr, directory.len - 1), name, path);
}

static bool
is_on_path(const char *name, char path[PATH_MAX])
{
	const char *list = getenv("PATH");
	struct str directory;

	if (list == NULL)
		list = "/usr/bin:/bin";
	while (str_take_word(&list, ':', &directory))
		if (is_in(directory, name, path))
			return true;
	return false;
}

bool
programs_find(const char *name, char path[PATH_MAX], bool *is_beside)
{
	*is_beside = false;
	if (strchr(name, '/') != NULL)
		return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX && is_program(path);
	*is_beside = strncmp(name, "ctx-", 4) == 0 && lies_beside(name, path);
	return *is_beside || is_on_path(name, path);
}
