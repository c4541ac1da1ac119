#include "face/output/in_place.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "face/input/files.h"
#include "face/made.h"

struct in_place {
	struct run_file file;
	const struct replace_options *options;
	struct replace replace;
};

static bool
open_file(struct run_file *file, struct fault *fault)
{
	struct in_place *place = (struct in_place *)file;
	bool is_open = replace_open(&place->replace, file->path, place->options, fault);

	file->fd = place->replace.copy.old.fd;
	file->sum = &place->replace.sum;
	file->filter = &place->replace.copy.filter;
	return is_open;
}

static void
commit(struct run_file *file, struct run *run, bool is_right)
{
	struct replace *replace = &((struct in_place *)file)->replace;

	file->outcome = "left as it was";
	if (!is_right)
		return;
	replace_commit(replace, run->source.in.bytes, run->source.in.ended_open);
	file->is_replaced = replace->is_replaced;
	if (file->is_replaced)
		file->outcome = "replaced";
	else if (!fault_is_set(&run->fault))
		file->outcome = "nothing to change";
}

static void
close_file(struct run_file *file)
{
	replace_close(&((struct in_place *)file)->replace);
}

static void
say_waiting(void)
{
	diag_warn(
	    "was replaced, and a program still writes to the old file: waiting for it to end");
}

/* The path without head and tail of its name, or NULL when the name has no such form. The caller
 * frees the result. */
static char *
strip_name(const char *path, const char *head, const char *tail)
{
	const char *name = file_name(path);
	size_t len = strlen(name), before = strlen(head), after = strlen(tail);
	struct buf text = BUF_INIT;

	if (len <= before + after || strncmp(name, head, before) != 0 ||
	    strcmp(name + len - after, tail) != 0)
		return NULL;
	buf_add(&text, path, (size_t)(name - path));
	buf_add(&text, name + before, len - before - after);
	buf_add_char(&text, '\0');
	return text.ptr;
}

/* Refuses a path that the run gives to a file beside an operand: the new one, or the old one. */
static void
check_name(const char *path, const char *suffix, char *const *operand, int count)
{
	const char *const form[][2] = {{REPLACE_NEW_HEAD, REPLACE_NEW_TAIL},
	    {REPLACE_OLD_HEAD, REPLACE_OLD_TAIL}, {"", suffix}};

	for (size_t f = 0; path != NULL && f < ARRAY_COUNT(form); f++) {
		char *of = form[f][1][0] != '\0' ? strip_name(path, form[f][0], form[f][1]) : NULL;

		for (int i = 0; of != NULL && i < count; i++)
			if (files_are_same(of, operand[i]))
				options_fail("'%s' is a name that --in-place needs for '%s'", path,
				    operand[i]);
		free(of);
	}
}

/* Refuses a file that an option or a leading operand names, and that is to be replaced. */
static void
check_read(const char *path, const char *suffix, char *const *operand, int count)
{
	for (int i = 0; i < count; i++)
		if (files_are_same(path, operand[i]))
			options_fail("'%s' is read, and would be replaced", path);
	check_name(path, suffix, operand, count);
}

void
in_place_check(const struct common_options *common, char *const *operand, int count)
{
	const struct in_place_options *options = &common->in_place;
	struct files_made made[FILES_MADE];
	struct fault fault = FAULT_INIT;
	struct input in;

	if (count == 0)
		options_fail("--in-place needs files");
	for (int i = 0; i < count; i++)
		if (file_is_stdin(operand[i]))
			options_fail("--in-place does not replace standard input");
	if (strchr(options->suffix, '/') != NULL)
		options_fail(
		    "bad value '%s' of --in-place, expected a suffix without '/', such as .bak",
		    options->suffix);
	input_init(&in, operand, (unsigned)count, &fault);
	made_check(common, &in);
	check_name(common->archive, options->suffix, operand, count);
	files_list_made(common, made);
	for (unsigned i = 0; i < FILES_MADE; i++)
		check_name(made[i].path, options->suffix, operand, count);
	for (unsigned i = 0; i < common->reads.count; i++)
		check_read(common->reads.item[i], options->suffix, operand, count);
	for (int i = 0; i < count; i++)
		check_name(operand[i], options->suffix, operand, count);
	made_check_archive(common, &in);
	input_free(&in);
	fault_free(&fault);
}

struct replace_options
in_place_how(const struct in_place_options *options)
{
	return (struct replace_options){.suffix = options->suffix,
	    .follows_symlinks = options->follows_symlinks,
	    .breaks_hard_links = options->breaks_hard_links,
	    .has_min_age = options->has_min_age,
	    .min_age = options->min_age,
	    .says_waiting = say_waiting};
}

int
in_place_run(const struct common_options *common, char *const *operand, int count,
    int (*run)(void *command, struct run_file *file), void *command)
{
	struct replace_options how = in_place_how(&common->in_place);
	enum status worst = STATUS_OK;
	struct in_place place = {.options = &how};

	in_place_check(common, operand, count);
	for (int i = 0; i < count; i++) {
		place.file = (struct run_file){.path = operand[i],
		    .has_report = place.file.has_report,
		    .has_changes = place.file.has_changes,
		    .has_finds = place.file.has_finds,
		    .open = open_file,
		    .commit = commit,
		    .close = close_file};
		worst = status_worse(worst, (enum status)run(command, &place.file));
	}
	return (int)worst;
}
