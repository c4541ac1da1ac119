#include "face/input/files.h"

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "base/file.h"

void
files_list_made(const struct common_options *options, struct files_made made[FILES_MADE])
{
	made[0] = (struct files_made){"--bad-file", options->bad_file};
	made[1] = (struct files_made){"--report", options->report};
	made[2] = (struct files_made){"--changes", options->changes};
	made[3] = (struct files_made){"--finds", options->finds};
}

bool
files_find_regular(const char *path, struct stat *st)
{
	return path != NULL && stat(path, st) == 0 && S_ISREG(st->st_mode);
}

/*
 * Finds where opening path would create a file. A symbolic link to nothing creates the file that
 * the link points to, so links are followed. Sets *directory to the directory of the new file and
 * returns the name in it, which lies in path; returns NULL when there is no such directory.
 */
static const char *
find_place(char path[PATH_MAX], struct stat *directory)
{
	for (int links = 0; links < 40; links++) {
		char target[PATH_MAX];
		ssize_t len = readlink(path, target, sizeof target - 1);
		const char *name;
		size_t before;

		if (len < 0)
			return stat(file_split(path, &name), directory) == 0 ? name : NULL;
		target[len] = '\0';
		before = target[0] == '/' ? 0 : (size_t)(file_name(path) - path);
		if (strlen(target) >= PATH_MAX - before)
			return NULL;
		strcpy(path + before, target);
	}
	return NULL;
}

/* Whether two names, of which no file exists, would become the same file. */
static bool
is_same_place(const char *a, const char *b)
{
	char path[2][PATH_MAX];
	struct stat directory[2];
	const char *name[2];

	if (strlen(a) >= PATH_MAX || strlen(b) >= PATH_MAX)
		return false;
	name[0] = find_place(strcpy(path[0], a), &directory[0]);
	name[1] = find_place(strcpy(path[1], b), &directory[1]);
	return name[0] != NULL && name[1] != NULL && strcmp(name[0], name[1]) == 0 &&
	    file_is_same(&directory[0], &directory[1]);
}

bool
files_are_same(const char *a, const char *b)
{
	struct stat st[2];
	bool exists[2];

	if (a == NULL || b == NULL)
		return false;
	exists[0] = stat(a, &st[0]) == 0;
	exists[1] = stat(b, &st[1]) == 0;
	if (exists[0] && exists[1])
		return S_ISREG(st[0].st_mode) && file_is_same(&st[0], &st[1]);
	return !exists[0] && !exists[1] && is_same_place(a, b);
}

bool
files_is_name_of(const char *path, const struct stat *st)
{
	struct stat own;

	return files_find_regular(path, &own) && file_is_same(&own, st);
}

static void
check_options_files(const struct common_options *options, const struct stat *st)
{
	struct files_made made[FILES_MADE];

	files_list_made(options, made);
	for (int i = 0; i < FILES_MADE; i++)
		if (files_is_name_of(made[i].path, st))
			options_fail("'%s' is an input file", made[i].path);
}

bool
files_check_log(const struct common_options *options, const char *path)
{
	struct stat st, out;
	bool is_output;

	if (!files_find_regular(path, &st))
		return false;
	is_output = fstat(STDOUT_FILENO, &out) == 0 && file_is_same(&out, &st);
	if (is_output && (fcntl(STDOUT_FILENO, F_GETFL) & O_APPEND) == 0)
		options_fail("standard output overwrites '%s'; append to it (>>)", path);
	check_options_files(options, &st);
	return is_output;
}

void
files_check_read(const struct common_options *options, const struct stat *st)
{
	struct stat out;

	if (!S_ISREG(st->st_mode))
		return;
	if (fstat(STDOUT_FILENO, &out) == 0 && file_is_same(&out, st))
		options_fail("an input file is the output file");
	check_options_files(options, st);
}

void
files_check_appended(const struct common_options *options, const struct input *in,
    const char *option, const char *path)
{
	struct files_made made[FILES_MADE];
	struct stat st;

	for (unsigned i = 0; i < in->operand_count; i++)
		if (input_stat(in, i, &st) && files_is_name_of(path, &st))
			options_fail("'%s' is an input file", path);
	if (fstat(STDOUT_FILENO, &st) == 0 && files_is_name_of(path, &st))
		options_fail("%s and standard output are one file", option);
	files_list_made(options, made);
	for (int i = 0; i < FILES_MADE; i++)
		if (files_are_same(path, made[i].path))
			options_fail("%s and %s are one file", option, made[i].option);
}
