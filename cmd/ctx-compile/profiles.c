#include "profiles.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/text/distance.h"
#include "builtin.h"
#include "face/fault_die.h"
#include "face/options/caret.h"
#include "tokens/datadir.h"

/*
 * The directories of profiles, in the order of the search: those of $CTX_PROFILE_PATH, separated by
 * colons, ctx/profiles of the user's configuration, and the profiles beside the installed
 * vocabularies. No file is opened.
 */

/* A walk over the directories. */
struct places {
	const char *list;    /* the rest of $CTX_PROFILE_PATH; NULL: nothing */
	unsigned further;    /* how many of the directories after that list were returned */
	char path[PATH_MAX]; /* the last directory returned */
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

/* Sets the path of the file of that name. Returns the number of the place that has it first, from 1
 * on, or 0 when none has. */
static unsigned
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

/* Appends a line for each file that can be found and whose name may be that of a profile and is not
 * built in: the name, a tab, and the path; sorted in each place. */
static void
profile_folders_list(struct buf *list)
{
	struct places places;

	begin(&places);
	for (unsigned number = 1; next(&places); number++)
		list_place(list, places.path, number);
}

enum { CHAIN_MAX = 16 };

static const char own[] = "default", plain[] = "pragmatic";

/* A profile that is read. */
struct profile_source {
	char file[PATH_MAX]; /* its path, or the name of a built-in one */
	bool is_builtin;
	struct stat st; /* of the file */
	struct buf text;
};

/* The origin of a request for a profile: the line of another profile that is based on it, or the
 * command line. */
struct asker {
	const struct profile_source *child; /* NULL: the command line */
	struct profile_line_error *error;   /* its place is the place of the name in the child */
};

const char *
profiles_default(void)
{
	const char *named = getenv("CTX_PROFILE");
	char path[PATH_MAX];

	if (named != NULL && named[0] != '\0')
		return named;
	return profile_folders_find(own, path) > 0 ? own : plain;
}

void
profiles_list(struct buf *list)
{
	for (const struct builtin *b = builtins; b->name != NULL; b++)
		buf_add_fmt(list, "%s\tbuilt in: %s\n", b->name, b->summary);
	profile_folders_list(list);
}

/* Reports the error in the text, with a caret under the place. */
static _Noreturn void
fail_malformed(const char *file, const struct profile_line_error *error)
{
	diag_warn_at(file, error->line, "%.*s", STR_ARG(buf_str(&error->message)));
	caret_point(error->text, error->at);
	exit(STATUS_CONFIG);
}

/* Ends the program for a name or a path that leads to no profile. */
static _Noreturn void
fail_name(const struct asker *asker, const struct buf *why)
{
	if (asker->child == NULL)
		diag_die(STATUS_NO_INPUT, "%.*s", STR_ARG(buf_str(why)));
	buf_add_str(&asker->error->message, buf_str(why));
	fail_malformed(asker->child->file, asker->error);
}

/* Appends which profile was meant, if the name may be a slip. */
static void
add_meant(struct buf *text, const char *name)
{
	struct buf list = BUF_INIT;
	const char *rest;
	struct str line;

	profiles_list(&list);
	buf_add_char(&list, '\0');
	rest = list.ptr;
	while (str_take_word(&rest, '\n', &line)) {
		line.len = strcspn(line.ptr, "\t\n");
		if (distance_is_slip(str_from(name), line)) {
			buf_add_fmt(text, ", did you mean '%.*s'?", STR_ARG(line));
			break;
		}
	}
	buf_free(&list);
}

static _Noreturn void
fail_missing(const struct asker *asker, const char *name)
{
	struct buf text = BUF_INIT;
	struct stat st;

	buf_add_fmt(&text, "no profile '%s'", name);
	if (asker->child == NULL && stat(name, &st) == 0 && S_ISREG(st.st_mode))
		buf_add_fmt(&text, ", did you mean './%s'?", name);
	else
		add_meant(&text, name);
	for (const struct builtin *b = builtins; b->name != NULL; b++)
		buf_add_fmt(&text, "%s%s", b == builtins ? "; built in are " : ", ", b->name);
	buf_add_str(&text, STR(", and a path has a slash"));
	fail_name(asker, &text);
}

static _Noreturn void
fail_bad_name(const struct asker *asker, const char *name)
{
	static const char expected[] = "letters, digits, - and _, or a path with a slash";
	struct buf text = BUF_INIT;

	if (asker->child == NULL)
		options_fail("bad name '%s' of a profile, expected %s", name, expected);
	buf_add_fmt(&text, "bad name '%s' of a profile, expected %s", name, expected);
	fail_name(asker, &text);
}

/* Sets the path, which is relative to the directory of the file that names it. */
static void
find_path(struct profile_source *source, const char *path, const struct asker *asker)
{
	const char *file = asker->child != NULL ? asker->child->file : "";
	int len = path[0] != '/' ? (int)(file_name(file) - file) : 0;
	struct buf text = BUF_INIT;

	if (len > 0 && strncmp(path, "./", 2) == 0)
		path += 2;
	if (snprintf(source->file, PATH_MAX, "%.*s%s", len, file, path) < PATH_MAX)
		return;
	buf_add_str(&text, STR("the path of a profile is too long"));
	fail_name(asker, &text);
}

/* Sets the file of the source: the file of the name, or the path if it has a slash. */
static void
find_source(struct profile_source *source, const char *name, const struct asker *asker)
{
	source->is_builtin = false;
	if (strchr(name, '/') != NULL) {
		find_path(source, name, asker);
		return;
	}
	if (!profile_is_name(str_from(name)))
		fail_bad_name(asker, name);
	source->is_builtin = builtin_find(name) != NULL;
	if (source->is_builtin)
		strcpy(source->file, builtin_find(name)->name);
	else if (profile_folders_find(name, source->file) == 0)
		fail_missing(asker, name);
}

static void
read_source(struct profile_source *source, const char *name, const struct asker *asker)
{
	struct fault fault = FAULT_INIT;
	struct buf text = BUF_INIT;

	find_source(source, name, asker);
	if (source->is_builtin) {
		buf_add_str(&source->text, str_from(builtin_find(name)->text));
		return;
	}
	if (asker->child != NULL && access(source->file, F_OK) != 0 &&
	    (errno == ENOENT || errno == ENOTDIR)) {
		buf_add_fmt(&text, "no base '%s'", source->file);
		fail_name(asker, &text);
	}
	if (!file_read(source->file, PROFILE_BYTES, &source->text, &fault))
		fault_die(&fault);
	if (stat(source->file, &source->st) != 0)
		source->st = (struct stat){.st_dev = 0};
}

static void
check_circle(const struct profile_source *chain, unsigned count)
{
	const struct profile_source *last = &chain[count - 1];

	for (unsigned i = 0; i + 1 < count; i++)
		if (!last->is_builtin && !chain[i].is_builtin &&
		    file_is_same(&chain[i].st, &last->st))
			diag_die(STATUS_CONFIG, "%s: is based on itself, by way of '%s'",
			    chain[i].file, chain[count - 2].file);
}

void
profiles_load(struct profile *profile, const char *name, struct option_list *files)
{
	struct profile_source *chain = mem_alloc(CHAIN_MAX, sizeof *chain);
	struct profile_line_error error = {BUF_INIT, 0, {NULL, 0}, 0};
	struct buf base = BUF_INIT;
	unsigned count = 0;

	buf_add_str(&base, str_from(name));
	*buf_reserve(&base, 1) = '\0';
	do {
		struct profile_source *source = &chain[count];
		struct asker asker = {count > 0 ? source - 1 : NULL, &error};
		bool is_own = str_eq(buf_str(&base), str_from(own));

		if (count == CHAIN_MAX)
			diag_die(STATUS_CONFIG, "%s: more than %d profiles, each based on the next",
			    chain[0].file, CHAIN_MAX);
		source->text = (struct buf)BUF_INIT;
		read_source(source, base.ptr, &asker);
		check_circle(chain, ++count);
		if (!profile_base(buf_str(&source->text), &base, &error))
			fail_malformed(source->file, &error);
		if (is_own && base.len == 0)
			buf_add_str(&base, str_of(plain, sizeof plain));
	} while (base.len > 0);
	while (count-- > 0) {
		if (!profile_parse(profile, chain[count].file, buf_str(&chain[count].text),
			PROFILE_DEFAULTS, &error))
			fail_malformed(chain[count].file, &error);
		if (!chain[count].is_builtin)
			files->item[files->count++] = arena_copy(&profile->arena,
			    str_of(chain[count].file, strlen(chain[count].file) + 1))
							  .ptr;
		buf_free(&chain[count].text);
	}
	buf_free(&base);
	free(chain);
}
