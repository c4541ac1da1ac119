#include "profiles.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/distance.h"
#include "base/file.h"
#include "base/mem.h"
#include "builtin.h"
#include "face/caret.h"
#include "face/options.h"
#include "tokens/datadir.h"

enum { CHAIN_MAX = 16, PLACES_MAX = 64 };

/* The directories, in the order in which they are looked into. */
struct places {
	char path[PLACES_MAX][PATH_MAX];
	unsigned count;
};

static void
add_place(struct places *places, struct str directory, const char *below)
{
	if (directory.len > 0 && places->count < PLACES_MAX &&
	    snprintf(places->path[places->count], PATH_MAX, "%.*s%s", STR_ARG(directory), below) <
		PATH_MAX)
		places->count++;
}

static struct str
variable(const char *name)
{
	const char *value = getenv(name);

	return value != NULL ? str_from(value) : STR("");
}

static void
find_places(struct places *places)
{
	struct str list = variable("CTX_PROFILE_PATH"), config = variable("XDG_CONFIG_HOME");

	places->count = 0;
	while (list.len > 0) {
		const char *colon = memchr(list.ptr, ':', list.len);
		size_t len = colon != NULL ? (size_t)(colon - list.ptr) : list.len;

		add_place(places, str_of(list.ptr, len), "");
		list = str_of(list.ptr + len + (colon != NULL), list.len - len - (colon != NULL));
	}
	if (config.len > 0)
		add_place(places, config, "/ctx/profiles");
	else
		add_place(places, variable("HOME"), "/.config/ctx/profiles");
	add_place(places, str_from(datadir), "/profiles");
}

/* A profile that is read. */
struct source {
	char file[PATH_MAX]; /* its path, or the name of a built-in one */
	bool is_builtin;
	dev_t dev; /* of the file */
	ino_t ino;
	struct buf text;
};

/* Sets the path of the file of that name. Returns false when no place has one. */
static bool
find_file(const struct places *places, const char *name, char path[PATH_MAX])
{
	for (unsigned i = 0; i < places->count; i++)
		if (snprintf(path, PATH_MAX, "%s/%s", places->path[i], name) < PATH_MAX &&
		    access(path, F_OK) == 0)
			return true;
	return false;
}

static void
add_built_in(struct buf *text)
{
	for (const struct builtin *b = builtins; b->name != NULL; b++)
		buf_add_fmt(text, "%s%s", b == builtins ? "" : ", ", b->name);
}

static _Noreturn void
fail_missing(const char *name, const struct source *child)
{
	struct buf text = BUF_INIT;

	buf_add_fmt(&text, "no profile '%s'", name);
	for (const struct builtin *b = builtins; b->name != NULL; b++)
		if (distance_is_slip(str_from(name), str_from(b->name)))
			buf_add_fmt(&text, ", did you mean '%s'?", b->name);
	buf_add_str(&text, STR("; built in are "));
	add_built_in(&text);
	buf_add_str(&text, STR(", and a path has a slash"));
	if (child != NULL) {
		diag_warn("%s: %.*s", child->file, STR_ARG(buf_str(&text)));
		exit(STATUS_CONFIG);
	}
	diag_die(STATUS_NO_INPUT, "%.*s", STR_ARG(buf_str(&text)));
}

/* Sets the file of the source: that of the name, or the path, which in a file goes out from the
 * directory of that file. child is the profile that is based on it, or NULL. */
static void
find_source(struct source *source, const char *name, const struct source *child)
{
	const char *slash = child != NULL && !child->is_builtin && name[0] != '/' ?
	    strrchr(child->file, '/') :
	    NULL;
	int len = slash != NULL ? (int)(slash + 1 - child->file) : 0;
	struct places places;

	source->is_builtin = false;
	if (strchr(name, '/') != NULL) {
		if (len > 0 && strncmp(name, "./", 2) == 0)
			name += 2;
		if (snprintf(source->file, PATH_MAX, "%.*s%s", len,
			child != NULL ? child->file : "", name) >= PATH_MAX)
			diag_die(STATUS_NO_INPUT, "the path of a profile is too long");
		return;
	}
	if (!profile_is_name(str_from(name)))
		options_fail("bad name '%s' of a profile, expected letters, digits, - and _, or a "
			     "path with a slash",
		    name);
	source->is_builtin = builtin_find(name) != NULL;
	if (source->is_builtin) {
		strcpy(source->file, builtin_find(name)->name);
		return;
	}
	find_places(&places);
	if (!find_file(&places, name, source->file))
		fail_missing(name, child);
}

static void
read_source(struct source *source, const char *name, const struct source *child)
{
	struct fault fault = FAULT_INIT;
	struct stat st = {.st_dev = 0};

	find_source(source, name, child);
	if (source->is_builtin) {
		buf_add_str(&source->text, str_from(builtin_find(name)->text));
		return;
	}
	if (child != NULL && access(source->file, F_OK) != 0)
		diag_die(STATUS_CONFIG, "%s: no base '%s'", child->file, source->file);
	if (!file_read(source->file, PROFILE_BYTES, &source->text, &fault))
		diag_die(fault.status, "%.*s", STR_ARG(buf_str(&fault.text)));
	stat(source->file, &st);
	source->dev = st.st_dev;
	source->ino = st.st_ino;
}

/* Says what is wrong with the text, with a caret under the place. */
static _Noreturn void
fail_malformed(const char *file, const struct profile_line_error *error)
{
	diag_warn_at(file, error->line, "%.*s", STR_ARG(buf_str(&error->message)));
	caret_point(error->text, error->at);
	exit(STATUS_CONFIG);
}

static void
check_circle(const struct source *chain, unsigned count)
{
	const struct source *last = &chain[count - 1];

	for (unsigned i = 0; i + 1 < count; i++)
		if (!last->is_builtin && !chain[i].is_builtin && chain[i].dev == last->dev &&
		    chain[i].ino == last->ino)
			diag_die(STATUS_CONFIG, "%s: is based on itself, by way of '%s'",
			    chain[i].file, chain[count - 2].file);
}

void
profiles_load(struct profile *profile, const char *name)
{
	struct source *chain = mem_alloc(CHAIN_MAX, sizeof *chain);
	struct profile_line_error error = {BUF_INIT, 0, {NULL, 0}, 0};
	struct buf base = BUF_INIT;
	unsigned count = 0;

	buf_add_str(&base, str_from(name));
	*buf_reserve(&base, 1) = '\0';
	do {
		struct source *source = &chain[count];

		if (count == CHAIN_MAX)
			diag_die(STATUS_CONFIG, "%s: more than %d profiles, each based on the next",
			    chain[0].file, CHAIN_MAX);
		source->text = (struct buf)BUF_INIT;
		read_source(source, base.ptr, count > 0 ? source - 1 : NULL);
		check_circle(chain, ++count);
		if (!profile_base(buf_str(&source->text), &base, &error))
			fail_malformed(source->file, &error);
	} while (base.len > 0);
	while (count-- > 0) {
		if (!profile_parse(profile, chain[count].file, buf_str(&chain[count].text),
			PROFILE_DEFAULTS, &error))
			fail_malformed(chain[count].file, &error);
		buf_free(&chain[count].text);
	}
	buf_free(&base);
	free(chain);
}

void
profiles_read(const char *name, struct buf *text)
{
	struct source source = {.text = BUF_INIT};

	read_source(&source, name, NULL);
	buf_add_str(text, buf_str(&source.text));
	buf_free(&source.text);
}

/* Appends the names in the directory, one of the places, that are of profiles, sorted. */
static void
list_place(struct buf *list, const struct places *places, const char *directory)
{
	struct dirent **entry;
	int count = scandir(directory, &entry, NULL, alphasort);

	for (int i = 0; i < count; i++) {
		const char *name = entry[i]->d_name;
		char path[PATH_MAX];
		size_t len = strlen(directory);

		/* A file that an earlier place has is found there. */
		if (profile_is_name(str_from(name)) && builtin_find(name) == NULL &&
		    find_file(places, name, path) && strncmp(path, directory, len) == 0 &&
		    path[len] == '/' && strcmp(path + len + 1, name) == 0)
			buf_add_fmt(list, "%s\t%s\n", name, path);
		free(entry[i]);
	}
	if (count >= 0)
		free(entry);
}

void
profiles_list(struct buf *list)
{
	struct places places;

	for (const struct builtin *b = builtins; b->name != NULL; b++)
		buf_add_fmt(list, "%s\tbuilt in: %s\n", b->name, b->summary);
	find_places(&places);
	for (unsigned i = 0; i < places.count; i++)
		list_place(list, &places, places.path[i]);
}
