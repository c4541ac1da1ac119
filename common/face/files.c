#include "face/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "base/diag.h"

/* A file that a run creates, and the option that names it. */
struct made {
	const char *option;
	const char *path; /* or NULL */
};

enum { MADE_COUNT = 4 };

static void
list_made(const struct common_options *options, struct made made[MADE_COUNT])
{
	made[0] = (struct made){"--bad-file", options->bad_file};
	made[1] = (struct made){"--report", options->report};
	made[2] = (struct made){"--changes", options->changes};
	made[3] = (struct made){"--finds", options->finds};
}

static bool
is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Sets *st to the state of the file at path. Returns whether path is the name of a regular file. */
static bool
find_regular(const char *path, struct stat *st)
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
		char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
		char target[PATH_MAX];
		ssize_t len = readlink(path, target, sizeof target - 1);
		int error;

		if (len < 0) {
			if (slash == NULL || slash == path)
				error = stat(slash == NULL ? "." : "/", directory);
			else {
				*slash = '\0';
				error = stat(path, directory);
			}
			return error == 0 ? name : NULL;
		}
		target[len] = '\0';
		if (target[0] == '/')
			name = path;
		if (strlen(target) >= (size_t)(path + PATH_MAX - name))
			return NULL;
		strcpy(name, target);
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
	    is_same(&directory[0], &directory[1]);
}

/* Whether two names are of the same regular file, or would become the same file. */
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
		return S_ISREG(st[0].st_mode) && is_same(&st[0], &st[1]);
	return !exists[0] && !exists[1] && is_same_place(a, b);
}

/* Whether path is a name of the regular file whose state is st. */
static bool
is_name_of(const char *path, const struct stat *st)
{
	struct stat own;

	return find_regular(path, &own) && is_same(&own, st);
}

static void
check_options_files(const struct common_options *options, const struct stat *st)
{
	struct made made[MADE_COUNT];

	list_made(options, made);
	for (int i = 0; i < MADE_COUNT; i++)
		if (is_name_of(made[i].path, st))
			options_fail("'%s' is an input file", made[i].path);
}

bool
files_check_log(const struct common_options *options, const char *path)
{
	struct stat st, out;
	bool is_output;

	if (!find_regular(path, &st))
		return false;
	is_output = fstat(STDOUT_FILENO, &out) == 0 && is_same(&out, &st);
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
	if (fstat(STDOUT_FILENO, &out) == 0 && is_same(&out, st))
		options_fail("an input file is the output file");
	check_options_files(options, st);
}

void
files_check_appended(const struct common_options *options, const struct input *in,
    const char *option, const char *path)
{
	struct made made[MADE_COUNT];
	struct stat st;

	for (unsigned i = 0; i < in->operand_count; i++)
		if (input_stat(in, i, &st) && is_name_of(path, &st))
			options_fail("'%s' is an input file", path);
	if (fstat(STDOUT_FILENO, &st) == 0 && is_name_of(path, &st))
		options_fail("%s and standard output are one file", option);
	list_made(options, made);
	for (int i = 0; i < MADE_COUNT; i++)
		if (files_are_same(path, made[i].path))
			options_fail("%s and %s are one file", option, made[i].option);
}

static void
check_creatable(const char *path)
{
	char copy[PATH_MAX];
	char *slash;
	struct stat st;
	int error = 0;

	if (path == NULL)
		return;
	if (stat(path, &st) == 0) {
		error = S_ISDIR(st.st_mode) ? EISDIR : access(path, W_OK) != 0 ? errno : 0;
	} else if (errno == ENOENT && strlen(path) < sizeof copy) {
		slash = strrchr(strcpy(copy, path), '/');
		if (slash != NULL)
			slash[slash == copy] = '\0';
		if (path[0] == '\0' || access(slash != NULL ? copy : ".", W_OK | X_OK) != 0)
			error = errno;
	} else {
		error = errno;
	}
	if (error != 0)
		diag_die(status_of_error(error, STATUS_CANT_CREATE), "cannot create '%s': %s", path,
		    strerror(error));
}

/* Checks the files that the run creates against each other and against standard output. */
static void
check_made(const struct common_options *options)
{
	struct made made[MADE_COUNT];
	struct stat st;
	bool is_file = fstat(STDOUT_FILENO, &st) == 0 && S_ISREG(st.st_mode);

	list_made(options, made);
	for (int i = 0; i < MADE_COUNT; i++) {
		if (is_file && is_name_of(made[i].path, &st))
			options_fail("%s and standard output are one file", made[i].option);
		for (int k = 0; k < i; k++)
			if (files_are_same(made[k].path, made[i].path))
				options_fail(
				    "%s and %s are one file", made[k].option, made[i].option);
	}
	for (int i = 0; i < MADE_COUNT; i++)
		check_creatable(made[i].path);
}

void
files_check(const struct common_options *options, const struct input *in)
{
	const struct option_list *reads = &options->reads;
	struct stat st;

	for (unsigned i = 0; i < in->operand_count; i++)
		if (input_stat(in, i, &st))
			files_check_read(options, &st);
	for (unsigned i = 0; i < reads->count; i++)
		if (find_regular(reads->item[i], &st))
			files_check_read(options, &st);
	check_made(options);
}

/* Whether diagnostics go to the file at path: it must not be emptied then. */
static bool
has_diagnostics(const char *path)
{
	struct stat st;

	return fstat(STDERR_FILENO, &st) == 0 && is_name_of(path, &st);
}

static void
set_uncreatable(struct fault *fault, const char *path)
{
	fault_set(fault, status_of_error(errno, STATUS_CANT_CREATE), "cannot create '%s': %s", path,
	    strerror(errno));
}

int
files_create(const char *path, bool appends, struct fault *fault)
{
	int fd;

	if (has_diagnostics(path))
		fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	else
		fd = open(
		    path, O_WRONLY | O_CREAT | O_CLOEXEC | (appends ? O_APPEND : O_TRUNC), 0666);
	if (fd < 0)
		set_uncreatable(fault, path);
	return fd;
}

void
files_empty(const char *path, struct fault *fault)
{
	struct stat st;

	if (find_regular(path, &st) && !has_diagnostics(path) && truncate(path, 0) != 0)
		set_uncreatable(fault, path);
}
