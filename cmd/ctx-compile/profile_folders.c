#include "profile_folders.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "builtin.h"
#include "policy/profile/profile.h"
#include "tokens/datadir.h"

/* A walk over the directories. */
struct places {
	const char *list;    /* what is left of $CTX_PROFILE_PATH; NULL: nothing */
	unsigned further;    /* how many of those behind the list have been asked for */
	char path[PATH_MAX]; /* the one that was taken last */
};

static void
begin(struct places *places)
{
	places->list = getenv("CTX_PROFILE_PATH");
	places->further = 0;
}

/* Sets the path, unless it would be none, or too long for one. */
static bool
set(struct places *places, struct str directory, const char *below)
{
	return directory.len > 0 &&
	    snprintf(places->path, PATH_MAX, "%.*s%s", STR_ARG(directory), below) < PATH_MAX;
}

/* The user's own. A relative XDG_CONFIG_HOME is none: so the specification says. */
static bool
set_users(struct places *places)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (config != NULL && config[0] == '/')
		return set(places, str_from(config), "/ctx/profiles");
	return home != NULL && set(places, str_from(home), "/.config/ctx/profiles");
}

/* Takes the next place. Returns false when there is none. */
static bool
next(struct places *places)
{
	struct str directory;

	while (str_take_word(&places->list, ':', &directory))
		if (set(places, directory, ""))
			return true;
	if (places->further == 0) {
		places->further = 1;
		if (set_users(places))
			return true;
	}
	return places->further++ == 1 && set(places, str_from(datadir), "/profiles");
}

unsigned
profile_folders_find(const char *name, char path[PATH_MAX])
{
	struct places places;
	struct stat st;

	begin(&places);
	for (unsigned number = 1; next(&places); number++)
		if (snprintf(path, PATH_MAX, "%s/%s", places.path, name) < PATH_MAX &&
		    stat(path, &st) == 0 && !S_ISDIR(st.st_mode))
			return number;
	return 0;
}

static void
list_place(struct buf *list, const char *directory, unsigned number)
{
	struct dirent **entry;
	int count = scandir(directory, &entry, NULL, alphasort);
	char path[PATH_MAX];

	for (int i = 0; i < count; i++) {
		const char *name = entry[i]->d_name;

		/* A name that an earlier place has is found there. */
		if (profile_is_name(str_from(name)) && builtin_find(name) == NULL &&
		    profile_folders_find(name, path) == number)
			buf_add_fmt(list, "%s\t%s\n", name, path);
		free(entry[i]);
	}
	if (count >= 0)
		free(entry);
}

void
profile_folders_list(struct buf *list)
{
	struct places places;

	begin(&places);
	for (unsigned number = 1; next(&places); number++)
		list_place(list, places.path, number);
}
